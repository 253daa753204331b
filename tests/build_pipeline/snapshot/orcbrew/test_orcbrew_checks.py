"""Remarks on fields of the wrong type and on dangling references."""

from __future__ import annotations

from pathlib import Path

from brew import STARTER, brew

from build_pipeline.snapshot.orcbrew.fields import check_fields
from build_pipeline.snapshot.orcbrew.reader import read_files


def remarks(kind: str, fields: str) -> list[tuple[int, str]]:
    file = brew(f'{{:orcpub.dnd.e5/{kind} {{:a {{:key :a :name "A"\n{fields}}}}}}}')
    for entity in file.entities:
        check_fields(file, entity)
    return [(f.column, f.message.split(" ")[0]) for f in file.findings if f.line == 2]


def test_fields_of_a_wrong_type_are_named_with_their_place() -> None:
    assert remarks("spells", ':level 12 :school "bread" :components "V, S" :range nil :ritual false') == [
        (1, ":level"),
        (11, ":school"),
        (27, ":components"),
    ]
    assert remarks("monsters", ':challenge 1/4 :hit-points {:die 8 :die-count "2"} :skills {:stealth ##NaN}') == [
        (70, "`##NaN`")
    ]
    assert remarks("monsters", ':challenge [1] :hit-points "22 (4d8 + 4)" :size :enormous :str "ten"') == [
        (1, ":challenge"),
        (16, ":hit-points"),
        (43, ":size"),
        (59, ":str"),
    ]
    assert remarks("monsters", ':challenge "1/3"') == [(1, ":challenge")]
    assert remarks("monsters", ":challenge 40") == [(1, ":challenge")]
    assert remarks("classes", ":level-modifiers [{:type :nonsense} {:type :num-attacks :value 2}] {nil nil} nil") == [
        (1, ":level-modifiers")
    ]


def test_sound_books_get_no_remark() -> None:
    assert [f.message for f in read_files([STARTER])[0].findings] == []


def test_dangling_references_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.orcbrew"
    path.write_text(
        '{:orcpub.dnd.e5/subclasses {:a {:key :a :name "A" :class :tinker\n'
        " :level-modifiers [{:type :spell :value {:key :melfs-acid-arrow}} {:type :spell :value {:key :no-such}}]\n"
        " :cleric-spells {1 {0 :bless, 1 :nothing}}}\n"
        ' :b {:key :b :name "B" :class :wizard}}}'
    )
    findings = read_files([path])[0].findings
    assert findings[0].message.endswith(
        ", which these files and SRD 5.1 (built into OrcPub) lack among their classes: the name is kept as text"
    )
    assert [(f.line, f.severity, f.message.split(",")[0]) for f in findings] == [
        (1, "warning", ":class refers to :tinker"),
        (2, "warning", ":level-modifiers refers to :no-such"),
        (3, "warning", ":cleric-spells refers to :nothing"),
    ]

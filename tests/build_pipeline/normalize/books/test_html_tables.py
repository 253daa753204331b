from __future__ import annotations

from build_pipeline.normalize.books.html_tables import markdown_table, unboxed


def lines(html: str) -> list[str]:
    return [line for line in markdown_table(html).split("\n") if line]


def row(cells: str, tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells.split("|")) + "</tr>"


def test_a_caption_is_put_above_the_table() -> None:
    html = (
        f"<table><caption>Lamps</caption><thead>{row('Kind|Oil', 'th')}</thead><tbody>{row('Hooded|1')}</tbody></table>"
    )
    assert lines(html) == ["Lamps", "| Kind | Oil |", "| --- | --- |", "| Hooded | 1 |"]


def test_the_lower_of_two_header_rows_counts() -> None:
    upper = '<tr><th rowspan="2">Level</th><th colspan="2">Slots</th></tr>'
    html = f"<table><thead>{upper}{row('1st|2nd', 'th')}</thead><tbody>{row('3|4|2')}</tbody></table>"
    assert lines(html) == ["| Level | 1st | 2nd |", "| --- | --- | --- |", "| 3 | 4 | 2 |"]


def test_an_upper_row_repeated_in_the_cells_is_dropped() -> None:
    html = (
        f"<table><thead>{row('Pace|Way<br/>Hour|per…<br/>Day', 'th')}</thead><tbody>{row('Slow|2|18')}</tbody></table>"
    )
    assert lines(html)[0] == "| Pace | Hour | Day |"


def test_a_frame_around_a_formula_is_a_paragraph() -> None:
    assert markdown_table("<table><tbody><tr><td><strong>DC</strong> = 8 + bonus</td></tr></tbody></table>") == (
        "**DC** = 8 + bonus"
    )
    assert unboxed("Reckon:\n\n|     |\n|:---:|\n| 10 + bonus |\n\nThen") == "Reckon:\n\n10 + bonus\n\nThen"
    table = "| A |\n|---|\n| 1 |"
    assert unboxed(table) == table

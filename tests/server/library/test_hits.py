"""What ranking adds to records, and how much of it summaries show."""

from server.library.hits import Hits
from server.library.messages import conditional
from server.library.records.records import Form
from server.library.requests.filters import FILTERS

RESISTANT = next(each for each in FILTERS if each.parameter == "resistant_to")


def test_a_summary_names_few_variants_and_a_record_all() -> None:
    names = [f"Spoon +{bonus}" for bonus in range(12)]
    hits = Hits(1, extra={7: {"variants": {"count": 12, "names": names}}})

    def named(form: Form) -> list[str]:
        [record] = hits.add_to([7], [{}], form)
        return list(record["variants"]["names"])

    assert named(Form.SUMMARY) == names[:8]
    assert named(Form.FULL) == names


def test_one_condition_is_never_left_out_alone() -> None:
    texts = [(f"tin on day {day}", 1) for day in range(5)]
    assert " other" not in conditional(RESISTANT, "tin", 4, texts[:4])
    assert conditional(RESISTANT, "tin", 5, texts).endswith(" or 2 others.")

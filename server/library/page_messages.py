"""The library's sentences on pages of records: where they begin, and what was shortened to keep an answer short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from server.library.message import Given, Message, Named, Offset, enumerated

if TYPE_CHECKING:
    from collections.abc import Mapping

_IN_FORM: Final = {"full": "in full", "summary": "as whole summaries", "names": "by name"}


def past_the_end(offset: int, listed: int, total: int) -> Message:
    """An offset after the last result; `listed` of the `total` entities are listed, the others as their variants."""
    variants = f", {total:,} with their variants" if total > listed else ""
    return Message(Offset(offset), f" is past the end: there are {listed:,} results{variants}.")


def past_the_sheet(offset: int, length: int) -> Message:
    """An offset after the last character of a record's sheet."""
    return Message(Offset(offset), f" is past the end: there are {length} characters.")


def summarised(full: int, listed: int, offset: int, budget: int, detail: str) -> Message:
    """Only the first `full` of the records listed are as asked for; the first of the others is at `offset`."""
    if not full:
        return Message(
            f"All records are shortened (`truncated`): with one of them whole, the answer would pass {budget:,} "
            "characters; use a smaller ",
            Named("limit"),
            ", or look one up by name.",
        )
    which = f"Record {listed} is" if full + 1 == listed else f"Records {full + 1} to {listed} are"
    return Message(
        f"{which} shortened (`truncated`): with one more whole, the answer would pass {budget:,} characters; "
        f"to get them {_IN_FORM[detail]}, use ",
        Given("offset", offset),
        " or look one up by name.",
    )


def stands_in(holders: Mapping[int, int]) -> Message:
    """Records of a page that are shortened → those whose text has theirs, by number."""
    short, whole = ([str(number) for number in sorted(each)] for each in (holders, set(holders.values())))
    which = f"Record {short[0]} is" if len(short) == 1 else f"Records {enumerated(short)} are"
    records = f"record{'s' * (len(whole) > 1)} {enumerated(whole)}"
    return Message(f"{which} shortened (`truncated`): the text is also in {records}.")


def ends_early(next_offset: int, budget: int) -> Message:
    """A page with fewer records than requested."""
    following = Given("offset", next_offset)
    return Message(
        f"The page ends early to keep the answer under {budget:,} characters: continue with ", following, "."
    )


def in_pieces(following: int | None, budget: int) -> Message:
    """A piece of a record that is too long for one answer."""
    told = f"The record is longer than {budget:,} characters: `sheet` is a piece of it as Markdown"
    more = Message("continue with ", Given("offset", following)) if following else "the last one"
    return Message(f"{told}, ", more, ".")

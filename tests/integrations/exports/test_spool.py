from __future__ import annotations

from harness.integrations.exports.examples import Spool


def test_rows_come_in_the_order_of_their_places_whenever_they_were_put():
    with Spool() as spool:
        spool.put(2, [{"row": "c"}])
        spool.put(0, [{"row": "a"}, {"row": "b", "text": "a lone \ud83d half, 日本"}])
        assert [row["row"] for row in spool.rows(range(4))] == ["a", "b", "c"]
        assert next(row for row in spool.rows([0]) if "text" in row)["text"] == "a lone \ud83d half, 日本"

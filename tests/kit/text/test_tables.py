from harness.kit.text import aligned, markdown_table


def test_columns_are_aligned_by_their_widest_cell():
    assert aligned([["a", "b"], ["long", "1.0"], ["x", "10.0"]]) == "\n".join(
        ["a        b", "──────────", "long   1.0", "x     10.0"]
    )


def test_a_bar_in_a_cell_does_not_end_it_in_markdown():
    assert markdown_table([["a", "b"], ["x|y", "1"]]) == "| a | b |\n| --- | ---: |\n| x\\|y | 1 |"

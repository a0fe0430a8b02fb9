"""What is left of a speedup after the transfers."""

from accelbench.figures.row_charts import TransferSpeedup, TransferSpeedups


def test_what_is_implausible_leads_nothing_and_is_hatched():
    fast = TransferSpeedup("cupy_fast", "#000000", (10.0, 5.0, 5.0, 5.0), implausible=True)
    right = TransferSpeedup("cupy_right", "#000000", (5.0, 2.5, 2.5, None))
    chart = TransferSpeedups([fast, right], ("cffi_right", 2.0))
    assert "the lead is with cupy_right: 5.00×" in chart.alt_text()
    assert "host array with cupy_right: 2.50×" in chart.alt_text()
    hatched = [c for c in chart.draw().axes[0].collections if c.get_hatch()]
    assert [c.get_offsets().tolist() for c in hatched] == [[[10.0, 0.0]]]

"""The epilogue of `pipeport trace --help`: at most 78 columns, which click indents by two."""

EPILOG = """
\b
Examples
  pipeport trace my_module:step --input "image: float32[224,224,3] in [0,1]"
  pipeport trace my_module:step --plain my_module:step_in_numpy --input "..."
  pipeport trace my_module:step --input "n: int32[] in [10,10]" --plot a.svg
  pipeport trace --watch train.py --epochs 2
\b
Nothing but this command imports MODULE, and it calls FUNCTION many times:
what it writes, sends or trains happens as often.
\b
The language of --input is that of `pipeport verify --help`. One value is
drawn for each input: of several dtypes and choices the first; a named size
is the largest of its range (12 without), and tracing is not told it. Tensors
enter the graph: as NumPy arrays and Python numbers in plain Python. Python
values (int, float, bool, {'edge', 'wrap'}) are constants while tracing.
\b
The modes
  python  the body on NumPy and Python inputs; not measured where it calls
          TensorFlow there too, unless --plain names its form without
  eager   the body on tensors, without a graph
  graph   tf.function
  xla     tf.function(jit_compile=True), where XLA has all that it needs
\b
The first call is tracing, preparing (what the first run takes longer than a
later one: optimising the graph, compiling it with XLA) and one call. "no
difference" stands where intervals do not tell two modes apart; a mode that
is not faster pays off never. Constants are the bytes the graph holds.
\b
A function that cannot be traced, raises, prints, changes what outlives its
call, or does not end within --limit is reported as such, with its own lines.
\b
Exit codes: 0 done, 1 it cannot run eagerly or as a graph, 2 a mistake in the
call, 130 interrupted: what was measured until then is shown.
"""

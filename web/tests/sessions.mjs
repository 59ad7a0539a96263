// Sessions of any size, the same every time.

// Numbers from −1 to 1, by a linear congruence.
function createDraw(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround(state / 2 ** 31 - 1);
  };
}

const matrix = (n_rows, n_cols, draw) => Array.from({ length: n_rows }, () => Array.from({ length: n_cols }, draw));

// A session's text with trainable weights, d wide throughout; these from −spread to spread. With the gradient of a target, if one is given.
export function drawnSession(n_tokens, d, attention = {}, spread = 1, gradient = undefined) {
  const draw = createDraw(123);
  const tensors = { inputs: matrix(n_tokens, d, draw) };
  for (const name of ['W_query', 'W_key', 'W_value'])
    tensors[name] = matrix(d, d, () => Math.fround(spread * draw()));
  const tokens = Array.from({ length: n_tokens }, (_, i) => `token ${i + 1}`);
  return JSON.stringify({
    format: 'attention-lab/session', version: 1, title: `${n_tokens} tokens × ${d} dimensions`, tokens, tensors, attention,
    gradient });
}

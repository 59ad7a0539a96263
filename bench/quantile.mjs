// The number below which a share q of these lies.
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
export const quantile = (numbers, q) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(q * numbers.length))];

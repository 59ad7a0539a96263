#pragma once

#include "engine/kernels/functions.h"
#include "engine/step.h"

// Kinds of step that stand around attention: soft cap, norms, activations, positions, tokens. Shapes as in steps.h.
namespace lab {

// y = cap · tanh(x / cap), which nears ±cap: −∞ becomes −cap. Any shape.
//
// error  a cap that is not a number above 0
StepPtr soft_cap(float cap);

// dx = tanh′(x / cap) · g, with tanh′ = 1 − tanh².
//
// x, g, result  of one shape
StepPtr soft_cap_slope(float cap);

// y = (x − mean) / √(Σ (x − mean)² / d + ε) · gain + bias, row by row, as torch.nn.LayerNorm; RMSNorm without the mean, as
// torch.nn.RMSNorm: x / √(Σ x² / d + ε) · gain.
//
// x           [planes × n × d]
// gain, bias  [d], where there is a second and a third operand
// result      [planes × n × d]
// error       a gain or bias that has not d numbers
StepPtr layer_norm(float epsilon);
StepPtr rms_norm(float epsilon);

struct NormRule {
    bool is_centred = true; // the mean is subtracted: LayerNorm
    float epsilon = 1e-5f;
};
// Their gradient with respect to x: with n = (x − mean) / deviation and s = g · gain, (s − Σ s / d − n · Σ s · n / d) / deviation;
// RMSNorm without Σ s / d.
//
// x, g, result  [planes × n × d]
// gain          [d], where there is a third operand
StepPtr norm_slope(const NormRule& rule);

// y = f(x), and dx = f′(x) · g from x and g: relu, gelu, gelu_tanh, silu, tanh, sigmoid. Any shape. An infinite x gives not a
// number where f multiplies it by 0, as in PyTorch.
StepPtr activation(Function function);
StepPtr activation_slope(Function function);

// y = a · b, cell by cell.
//
// a, b, result  of one shape
StepPtr multiply();

// y = (x − max) − ln Σ exp(x − max), row by row: the logarithm of softmax, finite where softmax is rounded to 0.
//
// operand, result  [planes × n × m]; a row that holds +∞ or not a number, or is −∞ throughout, is no numbers, as in PyTorch
StepPtr log_softmax();

// dx = g − e^y · Σ_k g[k], row by row, from its result y.
//
// y, g, result  [planes × n × m]
StepPtr log_softmax_slope();

// y[i] = x[i] + table[first + i]: a row for every place, the first of them at place `first`.
//
// x, result  [n × d]
// table      [n_places × d]
// error      a table of other columns, or with fewer than first + n rows; more than one plane
StepPtr add_rows(int first);

// y[i, 2m] = sin((first + i) / 10000^(2m/d)), y[i, 2m + 1] = cos of the same (Vaswani et al. 2017). An odd d ends with a sine.
//
// result  [n_rows × d], whatever the operands
StepPtr position_table(int n_rows, int d, int first = 0);

// y[i, v] = 1 where token_ids[i] is v, else 0. A number that is no whole number from 0 to n_vocabulary − 1 gives zeros and a Notice.
//
// token_ids  [n]
// result     [n × n_vocabulary]
// error      token_ids of rank 2 or 3
StepPtr one_hot(int n_vocabulary);

// y[i] = table[token_ids[i]]: the product of one-hot rows with the table, to the bit but for the sign of a 0, without those rows.
// A number that is no row's gives zeros and a Notice.
//
// token_ids  [n]
// table      [n_words × d]
// result     [n × d]
// error      token_ids of rank 2 or 3, a table that is no matrix
StepPtr gather_rows();

// Its gradient with respect to the table: y[v] = Σ g[i] over the tokens i with the number v, in the order of i.
//
// token_ids  [n]
// g          [n × d]
// result     [n_rows × d]
// error      another number of rows than of tokens
StepPtr scatter_rows(int n_rows);
} // namespace lab

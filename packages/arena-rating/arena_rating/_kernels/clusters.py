"""Compiled sums over clusters of votes, with corrected scores for influential clusters."""

from __future__ import annotations

import math

import numpy as np

from arena_rating._kernels.compilation import Array, compiled


@compiled
def by_cluster(cluster: Array, weight: Array) -> tuple[Array, Array]:
    """Indices of the rows with a weight above 0 (empty `weight`: all 1) by cluster, and the end of each cluster.

    Clusters are in the order of their first rows, whatever their labels, ints of at least 0; rows keep their order.
    """
    number = np.full(cluster.max() + 1 if len(cluster) else 0, -1, np.int32)
    ends, total = np.zeros(len(cluster) + 1, np.int64), 0
    for row in range(len(cluster)):
        if weight.shape[0] == 0 or weight[row] > 0.0:
            if number[cluster[row]] < 0:
                number[cluster[row]] = total
                total += 1
            ends[number[cluster[row]] + 1] += 1
    for g in range(total):
        ends[g + 1] += ends[g]
    order, place = np.empty(ends[total], np.int64), ends[:total].copy()
    for row in range(len(cluster)):
        if weight.shape[0] == 0 or weight[row] > 0.0:
            order[place[number[cluster[row]]]] = row
            place[number[cluster[row]]] += 1
    return order, ends[1 : total + 1]


@compiled
def solve(matrix: Array, right: Array) -> Array:  # noqa: C901 - numba solves with scipy alone
    """The solution of matrix x = right by Gaussian elimination with row pivots; overwrites both."""
    size = len(right)
    for i in range(size):
        pivot = i
        for j in range(i + 1, size):
            if abs(matrix[j, i]) > abs(matrix[pivot, i]):
                pivot = j
        if pivot != i:
            for f in range(i, size):
                matrix[i, f], matrix[pivot, f] = matrix[pivot, f], matrix[i, f]
            right[i], right[pivot] = right[pivot], right[i]
        for j in range(i + 1, size):
            factor = matrix[j, i] / matrix[i, i]
            if factor != 0.0:
                for f in range(i + 1, size):
                    matrix[j, f] -= factor * matrix[i, f]
                right[j] -= factor * right[i]
    for i in range(size - 1, -1, -1):
        for f in range(i + 1, size):
            right[i] -= matrix[i, f] * right[f]
        right[i] /= matrix[i, i]
    return right


@compiled
def add_rows(total: Array, factor: Array, rows: Array, count: int, table: Array) -> None:
    """Add the first `count` of `rows` of a table, each times its factor, to `total`: one row after the other.

    Four rows in one pass read and write the totals less often; the sums have the same order and bits.
    """
    many = count // 4 * 4
    for i in range(0, many, 4):
        a, b, c, d = table[rows[i]], table[rows[i + 1]], table[rows[i + 2]], table[rows[i + 3]]
        of_a, of_b, of_c, of_d = factor[i], factor[i + 1], factor[i + 2], factor[i + 3]
        for j in range(len(total)):
            total[j] = (((total[j] + of_a * a[j]) + of_b * b[j]) + of_c * c[j]) + of_d * d[j]
    for i in range(many, count):
        row = table[rows[i]]
        for j in range(len(total)):
            total[j] += factor[i] * row[j]


@compiled
def cluster_sums(  # noqa: PLR0912, PLR0915, C901 - one pass over a million votes
    first: int,
    last: int,
    order: Array,
    ends: Array,
    left: Array,
    right: Array,
    outcome: Array,
    weight: Array,
    features: Array,
    place: Array,
    curve: Array,
    inverse: Array,
    bread: Array,
    largest: float,
) -> tuple[Array, Array, Array, Array]:
    """Sums over the clusters first..last-1 of their scores u at `place` = (theta [m], beta [k]).

    `features` [n, k] belong to the rows of the log, `inverse` is that of `curve`, H. A cluster with more than `largest`
    of the information on a parameter (its share of H's diagonal) gets (1 - A H^-1)^-1 u, with A its part of H: the step
    of a fit without it (CR3). Its contribution to the parameters is c = bread' u. Returns the sums of u u', of c^2 and
    of c^4, and the number of clusters on each parameter.
    """
    k, size = features.shape[1], len(place)
    m = size - k
    meat, squares, fourths = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    clusters, scores = np.zeros(size, np.int64), np.array([1.0, 0.0, 0.5, 0.5])
    local, touched = np.full(size, -1, np.int64), np.empty(size, np.int64)
    u, hessian, change, x = np.zeros(size), np.zeros(size), np.empty(size), np.empty(2 + k)
    where = np.empty(2 + k, np.int64)
    start = ends[first - 1] if first else 0
    for g in range(first, last):
        for f in range(k):
            touched[f], local[m + f] = m + f, f
        count = k
        for entry in range(start, ends[g]):
            row = order[entry]
            gap = place[left[row]] - place[right[row]]
            for f in range(k):
                gap += features[row, f] * place[m + f]
            chance = 1.0 / (1.0 + math.exp(-gap))
            frequency = weight[row] if weight.shape[0] else 1.0
            residual, spread = frequency * (scores[outcome[row]] - chance), frequency * chance * (1.0 - chance)
            for i in (left[row], right[row]):
                if local[i] < 0:
                    local[i], touched[count] = count, i
                    count += 1
            u[local[left[row]]] += residual
            u[local[right[row]]] -= residual
            hessian[local[left[row]]] += spread
            hessian[local[right[row]]] += spread
            for f in range(k):
                u[f] += residual * features[row, f]
                hessian[f] += spread * features[row, f] ** 2
        share = 0.0
        for i in range(count):
            share = max(share, hessian[i] / curve[touched[i], touched[i]])
        if share > largest:
            part = np.zeros((count, count))
            for entry in range(start, ends[g]):
                row = order[entry]
                gap = place[left[row]] - place[right[row]]
                for f in range(k):
                    gap += features[row, f] * place[m + f]
                    x[2 + f], where[2 + f] = features[row, f], f
                chance = 1.0 / (1.0 + math.exp(-gap))
                spread = (weight[row] if weight.shape[0] else 1.0) * chance * (1.0 - chance)
                x[0], x[1], where[0], where[1] = 1.0, -1.0, local[left[row]], local[right[row]]
                for i in range(2 + k):
                    for j in range(2 + k):
                        part[where[i], where[j]] += spread * x[i] * x[j]
            matrix = np.zeros((count, count))
            for i in range(count):
                for j in range(count):
                    total = 0.0
                    for f in range(count):
                        total += part[i, f] * inverse[touched[f], touched[j]]
                    matrix[i, j] = (1.0 if i == j else 0.0) - total
            u[:count] = solve(matrix, u[:count].copy())
        change[:] = 0.0
        for i in range(count):
            a = touched[i]
            clusters[a] += 1
            for j in range(i + 1):
                b = touched[j]
                meat[min(a, b), max(a, b)] += u[i] * u[j]
        add_rows(change, u, touched, count, bread)
        for j in range(size):
            square = change[j] * change[j]
            squares[j] += square
            fourths[j] += square * square
        for i in range(count):
            local[touched[i]], u[i], hessian[i] = -1, 0.0, 0.0
        start = ends[g]
    for a in range(size):
        for b in range(a):
            meat[a, b] = meat[b, a]
    return meat, squares, fourths, clusters


@compiled
def rate_sums(
    first: int,
    last: int,
    order: Array,
    ends: Array,
    left: Array,
    right: Array,
    outcome: Array,
    weight: Array,
    worth: Array,
    rate: Array,
    battles: Array,
) -> tuple[Array, Array, Array]:
    """Sums over the clusters first..last-1 of d^2 and of d^4 by rate and model, [r, m], and largest battles [m].

    d = (points - rate * battles of the cluster) / (1 - share of the cluster in the model's `battles` [m]) is the change
    of the sum of points by a fit without the cluster; it is 0 for one with all battles. `worth` [r, 4, 2] are the
    points by outcome and side, `rate` [r, m] the points per battle.
    """
    kinds, m = rate.shape
    squares, fourths, residual = np.zeros((kinds, m)), np.zeros((kinds, m)), np.zeros((kinds, m))
    cluster_battles, largest, touched = np.zeros(m), np.zeros(m), np.empty(m, np.int64)
    start = ends[first - 1] if first else 0
    for g in range(first, last):
        count = 0
        for entry in range(start, ends[g]):
            row = order[entry]
            frequency = weight[row] if weight.shape[0] else 1.0
            for side in range(2):
                i = left[row] if side == 0 else right[row]
                if cluster_battles[i] == 0.0:
                    touched[count] = i
                    count += 1
                cluster_battles[i] += frequency
                for kind in range(kinds):
                    residual[kind, i] += frequency * (worth[kind, outcome[row], side] - rate[kind, i])
        for place in range(count):
            i = touched[place]
            rest = 1.0 - cluster_battles[i] / battles[i]
            largest[i], cluster_battles[i] = max(largest[i], cluster_battles[i]), 0.0
            for kind in range(kinds):
                square = (residual[kind, i] / rest) ** 2 if rest > 1e-9 else 0.0
                squares[kind, i] += square
                fourths[kind, i] += square * square
                residual[kind, i] = 0.0
        start = ends[g]
    return squares, fourths, largest

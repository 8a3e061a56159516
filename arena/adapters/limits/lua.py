"""Lua scripts that Redis runs atomically.

Recent requests and running slots are sorted sets of tokens: by the time of the request, and by the time at which a slot
expires unless its process renews it. The clock is the Redis server's, so that all processes share one; a caller may
pass another.
"""

from __future__ import annotations

from typing import Final

_NOW: Final = """
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] + time[2] / 1000000
end
local function hold(key, score, token, seconds)
  redis.call('ZADD', key, score, token)
  redis.call('PEXPIRE', key, math.ceil(seconds * 1000))
end
local function full(key, before, most)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', before)
  return redis.call('ZCARD', key) >= tonumber(most)
end
local function wait(key, window)
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
  return {'limited', math.max(1, math.floor(oldest + window - now + 0.5))}
end
"""

ADMIT: Final = (
    _NOW
    + """
-- KEYS: asked by the voter, by the neighbourhood; running for the voter, the neighbourhood, all.
-- ARGV: clock, token, window, life of a place, the most of each key.
local token, window, life = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local function reached(index, before) return full(KEYS[index], before, ARGV[4 + index]) end
if reached(5, now) then return {'busy', 0} end
for who = 1, 2 do
  if reached(who, now - window) then return wait(KEYS[who], window) end
  if reached(who + 2, now) then return {'limited', 0} end
end
for index = 1, 2 do hold(KEYS[index], now, token, window) end
for index = 3, 5 do hold(KEYS[index], now + life, token, life) end
return {'taken', 0}
"""
)

COUNT: Final = (
    _NOW
    + """
-- KEYS: what somebody has done. ARGV: clock, token, window, the most in it.
local token, window, most = ARGV[2], tonumber(ARGV[3]), ARGV[4]
if full(KEYS[1], now - window, most) then return wait(KEYS[1], window) end
hold(KEYS[1], now, token, window)
return {'taken', 0}
"""
)

RENEW: Final = (
    _NOW
    + """
-- KEYS: for each token the three sets of what runs. ARGV: clock, life of a place, the tokens.
local life = tonumber(ARGV[2])
for index, key in ipairs(KEYS) do
  hold(key, now + life, ARGV[3 + math.floor((index - 1) / 3)], life)
end
"""
)

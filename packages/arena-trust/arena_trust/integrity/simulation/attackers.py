"""Attackers of a log: their votes, times and origins.

The kinds of attack follow Min et al. (ICML 2025). Attackers recognise models with probability `identified`, 1 for
attackers who serve the target themselves. They do not choose their battles: with 20 models a tenth has the target.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_rating import LEFT_WINS, RIGHT_WINS, TIE
from arena_trust.integrity.cast_votes import DAY, UNKNOWN, CastVotes
from arena_trust.integrity.simulation.attack_kinds import Attack, Place, Quota
from arena_trust.integrity.simulation.population import (
    HABITS,
    Population,
    in_time,
    preference,
    readings,
    since,
    starts,
)
from arena_trust.integrity.simulation.quotas import draw_quotas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FORTY: Final = 40
NIGHT: Final = 3
"""Hour of the day (UTC) at which few honest people vote."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """An attack on one model.

    Attributes:
        attack: The kind of votes.
        place: The slice of the attackers.
        attackers: Their number.
        battles: Mean number of an attacker's battles.
        hide: Share of attackers that look like honest voters in every division.
        identified: Chance that an attacker recognises the models of a battle.
        poses: Number of voters that an attacker poses as.
        target: The model, the middle one by default.
        sink: Whether the attack lets the target lose.
        quota: Distribution of the number of battles.
        clones: Number of models pushed: the target and those after it, all of one owner.
    """

    attack: Attack
    place: Place
    attackers: int
    battles: int = 30
    hide: float = 0.0
    identified: float = 1.0
    poses: int = 1
    target: int | None = None
    sink: bool = False
    quota: Quota = Quota.EXACT
    clones: int = 1

    def target_of(self, models: int) -> int:
        """Index of the target: the middle model by default."""
        return models // 2 if self.target is None else self.target


def add_attack(
    world: Population, honest: CastVotes, campaign: Campaign, rng: np.random.Generator
) -> tuple[CastVotes, NDArray[np.bool_]]:
    """The honest log with the attackers' votes, and whether each row is theirs."""
    return join_attacks(honest, [draw_attack_votes(world, honest, campaign, rng)])


def join_attacks(honest: CastVotes, attacks: Sequence[CastVotes]) -> tuple[CastVotes, NDArray[np.bool_]]:
    """The honest log with the votes of several attacks, and whether each row is an attacker's.

    Attacks share no voters and no new neighbourhoods; both are numbered after the honest ones.
    """
    parts, (voters, networks) = [honest], _ends(honest)
    for attack in attacks:
        is_new = attack.network >= _ends(honest)[1]
        shift = voters - _ends(honest)[0], networks - _ends(honest)[1]
        network = np.where(is_new, attack.network + shift[1], attack.network).astype(np.int32)
        parts.append(replace(attack, voter=(attack.voter + shift[0]).astype(np.int32), network=network))
        voters, networks = max(voters, _ends(parts[-1])[0]), max(networks, _ends(parts[-1])[1])
    names = [name for name in CastVotes.__dataclass_fields__ if name != "names"]
    votes = replace(honest, **{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})
    votes = replace(votes, since=since(votes.network, votes.second, starts(honest, networks)))
    order = np.argsort(votes.second, kind="stable")
    return in_time(votes), (np.arange(len(votes)) >= len(honest))[order]


def _ends(log: CastVotes) -> tuple[int, int]:
    """The first unused numbers of voters and of neighbourhoods."""
    return int(log.voter.max(initial=-1)) + 1, int(log.network.max(initial=-1)) + 1


def draw_attack_votes(world: Population, honest: CastVotes, campaign: Campaign, rng: np.random.Generator) -> CastVotes:
    """The attackers' votes, by attacker; their voters are numbered after the honest ones."""
    count = draw_quotas(campaign.quota, campaign.attackers, campaign.battles, rng)
    n = int(count.sum())
    bot = np.repeat(np.arange(campaign.attackers, dtype=np.int32), count)
    turn = np.arange(n) - np.repeat(count.cumsum() - count, count)
    model = honest.rows(rng.integers(0, len(honest), campaign.attackers))
    is_hidden = np.arange(campaign.attackers) < round(campaign.hide * campaign.attackers)
    left = rng.integers(0, world.models, n)
    right = (left + rng.integers(1, world.models, n)) % world.models
    second = _times(world, honest, campaign, is_hidden[bot], (turn, count[bot]), rng)
    first_voter, first_network = int(honest.voter.max()) + 1, int(honest.network.max()) + 1
    # A hidden attacker becomes a new voter as often as an honest voter casts the last vote.
    label = np.cumsum(rng.random(n) < 1 / world.votes_per_voter)
    pose = np.where(
        is_hidden[bot],
        campaign.attackers * campaign.poses + bot + label,
        bot * campaign.poses + turn % campaign.poses,
    )
    log = CastVotes(
        number=np.zeros(n, np.int64),
        second=second,
        left=left.astype(np.int32),
        right=right.astype(np.int32),
        outcome=np.zeros(n, np.uint8),
        voter=(first_voter + pose).astype(np.int32),
        network=_networks(campaign, model, is_hidden, first_network, rng)[bot],
        since=np.full(n, UNKNOWN, np.int32),
        language=_label(campaign, Place.LANGUAGE, model.language, is_hidden)[bot],
        check=_label(campaign, Place.CHECK, model.check, is_hidden)[bot],
        client=np.full(n, UNKNOWN, np.int32),
        age=_ages(campaign, model.age, is_hidden, rng)[bot],
        reading=np.where(
            (campaign.place is Place.FAST) & ~is_hidden[bot], np.round(1 + 2 * rng.random(n), 1), readings(n, rng)
        ),
        names=world.names,
    )
    outcome, cast = _ballots(world, log, campaign, rng)
    log.outcome[:] = outcome
    return log.rows(cast)


def _ballots(
    world: Population, log: CastVotes, campaign: Campaign, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """The outcome of each battle, and whether a vote is cast."""
    target = campaign.target_of(world.models)
    honest = preference(world, log.left, log.right, log.second, rng)
    is_clone = [(target <= side) & (side < target + campaign.clones) for side in (log.left, log.right)]
    has_one_clone = is_clone[0] != is_clone[1]
    wins = np.where(is_clone[0] != campaign.sink, LEFT_WINS, RIGHT_WINS)
    elsewhere = {
        Attack.RANDOM: rng.integers(0, 2, len(log)),
        Attack.TIE_MASKED: np.full(len(log), TIE),
        Attack.OMNISCIENT: against_rivals(log, target, sink=campaign.sink),
        Attack.OFF_TARGET: against_rivals(log, target, sink=campaign.sink),
    }.get(campaign.attack, honest)
    honest_share = {Attack.OFF_TARGET: 1.0, Attack.MASKED: 1 / 3}.get(campaign.attack, 0.0)
    score = np.where(rng.random(len(log)) < honest_share, honest, wins)
    knows = rng.random(len(log)) < campaign.identified
    outcome = np.where(knows, np.where(has_one_clone, score, elsewhere), honest)
    cast = has_one_clone | ~knows if campaign.attack is Attack.ABSTAINING else np.ones(len(log), np.bool_)
    return outcome.astype(np.uint8), cast


def against_rivals(log: CastVotes, target: int, *, sink: bool) -> NDArray[np.int64]:
    """Outcomes in which the closest rival above the target loses, or the closer one if both are below it.

    Models are numbered from the best; with `sink` the order is reversed.
    """

    def nearness(side: NDArray[np.int32]) -> NDArray[np.float64]:
        gap = (target - side.astype(np.float64)) * (-1 if sink else 1)
        return np.where(gap > 0, 1000 - gap, gap)

    return np.where(nearness(log.left) > nearness(log.right), RIGHT_WINS, LEFT_WINS) ^ (1 if sink else 0)


def _times(
    world: Population,
    honest: CastVotes,
    campaign: Campaign,
    is_hidden: NDArray[np.bool_],
    turns: tuple[NDArray[np.int64], NDArray[np.int64]],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    n, (turn, count) = len(is_hidden), turns
    like_others = honest.second[rng.integers(0, len(honest), n)]
    if campaign.attack is Attack.SLOW_DRIP:
        step = world.days * DAY / count
        like_others = (turn * step + rng.random(n) * step).astype(np.int64)
    burst = world.days * DAY // 2 + rng.integers(0, 6 * 3600, n)
    night = like_others // DAY * DAY + NIGHT * 3600 + rng.integers(0, 3600, n)
    times = {Place.BURST: burst, Place.HOUR: night}.get(campaign.place, like_others)
    if campaign.place is Place.ONE_DAY:
        times = world.days // 2 * DAY + like_others % DAY
    if campaign.place is Place.DAYS:
        times = rng.integers(0, world.days, 3)[rng.integers(0, 3, n)] * DAY + like_others % DAY
    return np.where(is_hidden, like_others, times).astype(np.int64)


def _networks(
    campaign: Campaign, model: CastVotes, is_hidden: NDArray[np.bool_], first: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    networks = model.network
    if campaign.place is Place.NETWORK:
        networks = np.full(len(is_hidden), model.network[0], np.int32)
    elif campaign.place is Place.MANY_NETWORKS:
        networks = first + rng.permutation(len(is_hidden))
    elif campaign.place in {Place.FORTY_NETWORKS, Place.ONE_DAY}:
        networks = first + rng.integers(0, FORTY, len(is_hidden))
    return np.where(is_hidden, model.network, networks).astype(np.int32)


def _label(
    campaign: Campaign, place: Place, honest_labels: NDArray[np.int32], is_hidden: NDArray[np.bool_]
) -> NDArray[np.int32]:
    last_code = len(HABITS[place.value]) - 1
    return np.where(is_hidden | (campaign.place is not place), honest_labels, last_code).astype(np.int32)


def _ages(
    campaign: Campaign, honest_ages: NDArray[np.float64], is_hidden: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.float64]:
    first_week = rng.integers(0, 7, len(is_hidden)).astype(np.float64)
    ages = {Place.YOUNG: first_week, Place.ONE_DAY: np.zeros(len(is_hidden))}.get(campaign.place, honest_ages)
    return np.where(is_hidden, honest_ages, ages)

import { VISIT_GAP_MS } from '../../contract/events/events.ts'

/** Clip of one camera. `begin` and `end`: ms UTC. `people`: numbers of the people in the clip, without duplicates. */
export interface PeopleClip {
  readonly camera: string
  readonly begin: number
  readonly end: number
  readonly people: readonly number[]
}

/** Two people (`a` < `b`) who were seen in the same visits. `visits`: number of these visits by camera. */
export interface SharedVisits {
  readonly a: number
  readonly b: number
  readonly visits: Map<string, number>
}

/** Visit of one camera. `end`: end of the last clip. `lastSeen`: end of the last clip of each person. Times in ms UTC. */
interface OpenVisit {
  end: number
  readonly lastSeen: Map<number, number>
  /** Pairs that were counted in this visit. */
  readonly counted: Set<SharedVisits>
}

/**
 * Returns the pairs of people in different clips of one camera less than `VISIT_GAP_MS` apart, except pairs that any of
 * the clips shows together. Counts each visit once. `clips`: oldest first; only these clips form visits.
 */
export function listSharedVisits(clips: readonly PeopleClip[]): SharedVisits[] {
  const openVisits = new Map<string, OpenVisit>()
  const pairs = new PairMap()
  const jointPairs = new Set<SharedVisits>()
  for (const clip of clips) {
    const visit = continueVisit(openVisits, clip)
    const recent = listRecentPeople(visit, clip.begin)
    for (const person of clip.people) {
      for (const other of clip.people) if (person < other) jointPairs.add(pairs.find(person, other))
      for (const other of recent) if (other !== person) countVisit(visit, pairs.find(person, other), clip.camera)
    }
    for (const person of clip.people) visit.lastSeen.set(person, Math.max(visit.lastSeen.get(person) ?? 0, clip.end))
  }
  return pairs.list().filter((pair) => !jointPairs.has(pair))
}

/** Returns the visit that a clip belongs to. Starts a new visit after a gap of `VISIT_GAP_MS`. */
function continueVisit(openVisits: Map<string, OpenVisit>, { camera, begin, end }: PeopleClip): OpenVisit {
  const visit = openVisits.get(camera)
  if (visit && begin - visit.end < VISIT_GAP_MS) {
    visit.end = Math.max(visit.end, end)
    return visit
  }
  const started: OpenVisit = { end, lastSeen: new Map(), counted: new Set() }
  openVisits.set(camera, started)
  return started
}

/** Returns the people whose last clip ended less than `VISIT_GAP_MS` before `begin` (ms UTC). Removes all others. */
function listRecentPeople({ lastSeen }: OpenVisit, begin: number): number[] {
  for (const [person, end] of lastSeen) if (begin - end >= VISIT_GAP_MS) lastSeen.delete(person)
  return [...lastSeen.keys()]
}

function countVisit({ counted }: OpenVisit, pair: SharedVisits, camera: string): void {
  if (counted.has(pair)) return
  counted.add(pair)
  pair.visits.set(camera, (pair.visits.get(camera) ?? 0) + 1)
}

class PairMap {
  readonly #pairs = new Map<string, SharedVisits>()

  find(person: number, other: number): SharedVisits {
    const [a, b] = [Math.min(person, other), Math.max(person, other)]
    const key = `${a} ${b}`
    const pair = this.#pairs.get(key) ?? { a, b, visits: new Map<string, number>() }
    this.#pairs.set(key, pair)
    return pair
  }

  list(): SharedVisits[] {
    return [...this.#pairs.values()]
  }
}

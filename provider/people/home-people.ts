import {
  MERGE_UNDO_MS,
  type HomePerson,
  DEFAULT_PERSON_NAME,
  type SamePersonSuggestion,
} from '../../contract/events/people.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { resolveEntitlements } from '../billing/plans/entitlements.ts'
import { toEventVisibility, type HomeRequester, type EventVisibility } from '../billing/plans/event-visibility.ts'
import * as rows from './people-rows.ts'
import { deleteDifferentPair, storeDifferentPair } from './different-people-rows.ts'
import { isTagWord, storeRecognition, readRecognition } from './recognition.ts'
import { suggestSamePeople } from './same-person.ts'
import { getShownNames } from './shown-names.ts'
import { removePeopleFromEvents } from './stored-names.ts'

/**
 * Person in clips that the account may see (CALL-58). `events`: number of these clips. `last_seen`: time of the newest
 * of them, ms UTC.
 */
export interface SeenPerson {
  readonly person_id: string
  readonly name: string
  readonly events: number
  readonly last_seen: number
}

export type PeopleChange =
  | { readonly kind: 'recognition'; readonly on: boolean; readonly guests: boolean }
  | { readonly kind: 'name'; readonly id: string; readonly name: string | null }
  | { readonly kind: 'hide'; readonly id: string; readonly hidden: boolean }
  | { readonly kind: 'merge'; readonly id: string; readonly into: string }
  | { readonly kind: 'split'; readonly id: string }
  | { readonly kind: 'different'; readonly id: string; readonly other: string; readonly isDifferent: boolean }

/** Result of a change: `done`, or the reason why the change was rejected. */
export type PeopleOutcome = 'done' | 'unknown' | 'taken' | 'no_name' | 'late'

/** People of a home in the response to its owner. `cameras`: cameras whose plan includes people. */
interface OwnedPeople {
  readonly recognition: boolean
  readonly guests: boolean
  readonly cameras: string[]
  readonly people: HomePerson[]
  readonly suggestions: SamePersonSuggestion[]
}

const compareBySightings = (a: { events: number; last_seen: number | null }, b: typeof a) =>
  b.events - a.events || (b.last_seen ?? 0) - (a.last_seen ?? 0)

/**
 * People of a home. Only `listSeenPeople` is open to every account with access. For all other methods, callers must
 * check that the account owns the home.
 */
export class HomePeopleDirectory {
  readonly #home: HomeContext

  constructor(home: HomeContext) {
    this.#home = home
  }

  listSeenPeople(requester: HomeRequester): SeenPerson[] {
    const { people } = getShownNames(this.#home, requester)
    const visibility = this.#getPeopleView(requester)
    const visibleNames = new Set(people.map(({ name }) => name))
    return rows
      .listPeople(this.#home.sql)
      .flatMap((row) => {
        const name = rows.getShownName(row)
        const sightings =
          name !== null && visibleNames.has(name) ? rows.findSightings(this.#home.sql, visibility, row) : null
        if (name === null || sightings === null) return []
        const { events, last_seen } = sightings
        return [{ person_id: rows.toPersonId(row.person), name, events, last_seen }]
      })
      .toSorted((a, b) => compareBySightings(a, b) || (a.name < b.name ? -1 : 1))
  }

  /**
   * Returns the recognition settings and the people of the home for its owner. Includes an unnamed person only while a
   * visible clip shows that person.
   */
  list(requester: HomeRequester): OwnedPeople {
    const { sql } = this.#home
    const visibility = this.#getPeopleView(requester)
    const { is_on, guests } = readRecognition(sql)
    const personRows = rows.listPeople(sql)
    const people = personRows
      .flatMap((row) => this.#toHomePerson(visibility, row) ?? [])
      .toSorted((a, b) => Number(b.named) - Number(a.named) || compareBySightings(a, b))
    return {
      recognition: is_on === 1,
      guests: guests === 1,
      cameras: visibility.flatMap(({ devices }) => devices),
      people,
      suggestions: is_on === 1 ? suggestSamePeople(sql, visibility, people, personRows) : [],
    }
  }

  #toHomePerson(visibility: EventVisibility, row: rows.PersonRow): HomePerson | null {
    const sightings = rows.findSightings(this.#home.sql, visibility, row)
    if (sightings === null && row.name === null) return null
    return {
      person_id: rows.toPersonId(row.person),
      name: row.name ?? `Person ${row.person}`,
      named: row.name !== null,
      hidden: row.hidden,
      events: sightings?.events ?? 0,
      first_seen: sightings?.first_seen ?? null,
      last_seen: sightings?.last_seen ?? null,
      example: sightings && { event_id: sightings.event_id, device_id: sightings.device_id },
    }
  }

  /** Applies one change. If the change succeeds, notifies open pages. `now`: ms UTC. */
  change(change: PeopleChange, now: number): PeopleOutcome {
    const outcome = this.#applyChange(change, now)
    if (outcome === 'done') this.#home.feed.push({ type: 'people' })
    return outcome
  }

  #applyChange(change: PeopleChange, now: number): PeopleOutcome {
    const { sql } = this.#home
    if (change.kind === 'recognition') {
      const { takes_names } = readRecognition(sql)
      storeRecognition(sql, { is_on: change.on ? 1 : 0, guests: change.guests ? 1 : 0, takes_names })
      return 'done'
    }
    if (change.kind === 'split') return this.#split(change.id, now)
    const people = rows.listPeople(sql)
    const find = (id: string) => people.find(({ person }) => rows.toPersonId(person) === id)
    const person = find(change.id)
    if (!person) return 'unknown'
    if (change.kind === 'name') return this.#rename(people, person, change.name)
    if (change.kind === 'hide') {
      rows.setPersonHidden(sql, person.person, change.hidden)
      return 'done'
    }
    const other = find(change.kind === 'merge' ? change.into : change.other)
    if (!other || other === person) return 'unknown'
    if (change.kind === 'merge') rows.mergePersonRow(sql, person.person, other.person, now)
    else if (change.isDifferent) storeDifferentPair(sql, person.person, other.person, now)
    else deleteDifferentPair(sql, person.person, other.person)
    return 'done'
  }

  #rename(people: readonly rows.PersonRow[], person: rows.PersonRow, name: string | null): PeopleOutcome {
    if (name !== null && (isTagWord(name) || DEFAULT_PERSON_NAME.test(name))) return 'no_name'
    const same = people.some((other) => other !== person && other.name?.toLowerCase() === name?.toLowerCase())
    if (name !== null && same) return 'taken'
    rows.setPersonName(this.#home.sql, person.person, name)
    return 'done'
  }

  #split(id: string, now: number): PeopleOutcome {
    const { sql } = this.#home
    const person = rows.parsePersonId(id)
    if (person === null || !rows.isMerged(sql, person)) return 'unknown'
    return rows.splitPersonRow(sql, person, now - MERGE_UNDO_MS) ? 'done' : 'late'
  }

  /**
   * Deletes these people, or all people if `ids` is null: names, face data and tokens in events. Returns the names, so
   * that callers can delete searches that contain these names. If an id is unknown, deletes nothing and returns null.
   */
  async deletePeople(ids: readonly string[] | null): Promise<string[] | null> {
    const { sql, ctx } = this.#home
    const people = rows.listPeople(sql).filter(({ person }) => ids === null || ids.includes(rows.toPersonId(person)))
    if (ids !== null && people.length < new Set(ids).size) return null
    const members = people.flatMap((person) => person.members)
    const names = rows.listOwnNames(sql, members)
    ctx.storage.transactionSync(() => {
      rows.deletePersonRows(sql, members, names)
      storeRecognition(sql, { ...readRecognition(sql), takes_names: 0 })
    })
    this.#home.feed.push({ type: 'people' })
    await removePeopleFromEvents(sql, members)
    return names
  }

  #getPeopleView({ userId, plans, now }: HomeRequester): EventVisibility {
    const entitlements = resolveEntitlements(plans, this.#home.access.findVisibleCameras(userId) ?? [], now)
    return toEventVisibility(new Map([...entitlements].filter(([, { people }]) => people)), now)
  }
}

import { MERGE_UNDO_MS, type HomePerson, UNNAMED } from '../../contract/events/people.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { resolveEntitlements } from '../billing/plans/entitlements.ts'
import { toEventVisibility, type HomeRequester, type EventVisibility } from '../billing/plans/event-visibility.ts'
import * as rows from './people-rows.ts'
import { isWord, putRecognition, readRecognition } from './recognition.ts'
import { shownNames } from './shown-names.ts'
import { removeFromEvents } from './stored-names.ts'

/** A person that the account's cameras have seen (CALL-58). `last_seen` in ms UTC. */
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

/** Reason why a change was rejected; `done` if it was applied. */
export type PeopleOutcome = 'done' | 'unknown' | 'taken' | 'no_name' | 'late'

const bySightings = (a: { events: number; last_seen: number | null }, b: typeof a) =>
  b.events - a.events || (b.last_seen ?? 0) - (a.last_seen ?? 0)

/** People of a home. Callers check that the account owns the home, except for `seen`. */
export class HomePeopleDirectory {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  seen(asker: HomeRequester): SeenPerson[] {
    const { people } = shownNames(this.home, asker)
    const view = this.getPeopleView(asker)
    const visibleNames = new Set(people.map(({ name }) => name))
    return rows
      .allPeople(this.home.sql)
      .flatMap((row) => {
        const name = rows.shownName(row)
        const sightings = name !== null && visibleNames.has(name) ? rows.findSightings(this.home.sql, view, row) : null
        if (name === null || sightings === null) return []
        const { events, last_seen } = sightings
        return [{ person_id: rows.personId(row.person), name, events, last_seen }]
      })
      .toSorted((a, b) => bySightings(a, b) || (a.name < b.name ? -1 : 1))
  }

  /**
   * Returns the recognition settings and the people of the home for its owner. An unnamed person is listed only while a
   * visible clip contains the person.
   */
  list(asker: HomeRequester): { recognition: boolean; guests: boolean; cameras: string[]; people: HomePerson[] } {
    const { sql } = this.home
    const view = this.getPeopleView(asker)
    const { is_on, guests } = readRecognition(sql)
    const people = rows.allPeople(sql).flatMap((row) => this.listed(view, row) ?? [])
    return {
      recognition: is_on === 1,
      guests: guests === 1,
      cameras: view.flatMap(({ devices }) => devices),
      people: people.toSorted((a, b) => Number(b.named) - Number(a.named) || bySightings(a, b)),
    }
  }

  private listed(view: EventVisibility, row: rows.PersonRow): HomePerson | null {
    const seen = rows.findSightings(this.home.sql, view, row)
    if (seen === null && row.name === null) return null
    return {
      person_id: rows.personId(row.person),
      name: row.name ?? `Person ${row.person}`,
      named: row.name !== null,
      hidden: row.hidden,
      events: seen?.events ?? 0,
      first_seen: seen?.first_seen ?? null,
      last_seen: seen?.last_seen ?? null,
      example: seen && { event_id: seen.event_id, device_id: seen.device_id },
    }
  }

  /** Applies one change and notifies open pages. `now` in ms UTC. */
  change(change: PeopleChange, now: number): PeopleOutcome {
    const outcome = this.changed(change, now)
    if (outcome === 'done') this.home.feed.push({ type: 'people' })
    return outcome
  }

  private changed(change: PeopleChange, now: number): PeopleOutcome {
    const { sql } = this.home
    if (change.kind === 'recognition') {
      const { takes_names } = readRecognition(sql)
      putRecognition(sql, { is_on: change.on ? 1 : 0, guests: change.guests ? 1 : 0, takes_names })
      return 'done'
    }
    if (change.kind === 'split') return this.split(change.id, now)
    const people = rows.allPeople(sql)
    const find = (id: string) => people.find(({ person }) => rows.personId(person) === id)
    const person = find(change.id)
    if (!person) return 'unknown'
    if (change.kind === 'name') return this.rename(people, person, change.name)
    if (change.kind === 'hide') rows.setHidden(sql, person.person, change.hidden)
    else {
      const into = find(change.into)
      if (!into || into === person) return 'unknown'
      rows.mergePersonRow(sql, person.person, into.person, now)
    }
    return 'done'
  }

  private rename(people: readonly rows.PersonRow[], person: rows.PersonRow, name: string | null): PeopleOutcome {
    if (name !== null && (isWord(name) || UNNAMED.test(name))) return 'no_name'
    const same = people.some((other) => other !== person && other.name?.toLowerCase() === name?.toLowerCase())
    if (name !== null && same) return 'taken'
    rows.setName(this.home.sql, person.person, name)
    return 'done'
  }

  private split(id: string, now: number): PeopleOutcome {
    const { sql } = this.home
    const person = rows.personIn(id)
    if (person === null || !rows.isMerged(sql, person)) return 'unknown'
    return rows.splitPersonRow(sql, person, now - MERGE_UNDO_MS) ? 'done' : 'late'
  }

  /**
   * Deletes names, face data and index entries of these people; null: of everyone. Returns their names, which other
   * objects may have stored, or null if an id is unknown.
   */
  async deletePeople(ids: readonly string[] | null): Promise<string[] | null> {
    const { sql, ctx } = this.home
    const people = rows.allPeople(sql).filter(({ person }) => ids === null || ids.includes(rows.personId(person)))
    if (ids !== null && people.length < new Set(ids).size) return null
    const members = people.flatMap((person) => person.members)
    const names = rows.ownNames(sql, members)
    ctx.storage.transactionSync(() => {
      rows.deletePersonRows(sql, members, names)
      putRecognition(sql, { ...readRecognition(sql), takes_names: 0 })
    })
    this.home.feed.push({ type: 'people' })
    await removeFromEvents(sql, members)
    return names
  }

  /** Returns the visibility of the account's cameras, limited to cameras whose plan includes people. */
  private getPeopleView({ userId, plans, now }: HomeRequester): EventVisibility {
    const entitlements = resolveEntitlements(plans, this.home.access.visibleTo(userId) ?? [], now)
    return toEventVisibility(new Map([...entitlements].filter(([, { people }]) => people)), now)
  }
}

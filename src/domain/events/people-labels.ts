import { PLANS } from '../../../contract/billing/plan-catalog.ts'
import type { HomePeople, HomePerson } from '../../../contract/events/people.ts'
import { inClips, inFigures } from '../copy/counts.ts'
import { dayWords, dateTimeLabel } from '../time/date-formats.ts'
import { DEFAULT_FILTER, formatEventAddress } from './event-url.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const SHORT_RANGE_MS = 14 * DAY_MS

const isSameName = (a: string, b: string) => a.toLocaleLowerCase() === b.toLocaleLowerCase()

export interface AskedPerson {
  readonly home: HomePeople
  readonly person: HomePerson
}

/**
 * Returns the unnamed person called `name` ("Person 3") and the home of the camera. Null if there is no such person, or
 * no home of this account recognizes people on this camera.
 */
export function askedPerson(homes: readonly HomePeople[], deviceId: string, name: string): AskedPerson | null {
  const home = homes.find(({ cameras }) => cameras.includes(deviceId))
  const person = home?.people.find(
    (candidate) => !candidate.named && !candidate.hidden && isSameName(candidate.name, name),
  )
  return home?.recognition && person ? { home, person } : null
}

/** A row of suggestions below the name field: a new name, or a person who already has that name. */
export type NameRow =
  { readonly kind: 'add'; readonly name: string } | { readonly kind: 'known'; readonly person: HomePerson }

/** Returns the rows for typed text. A name that a person already has is not offered as a new name. */
export function nameRows(people: readonly HomePerson[], typed: string): NameRow[] {
  const text = typed.trim()
  const matching = people.filter(
    ({ named, name }) => named && name.toLocaleLowerCase().includes(text.toLocaleLowerCase()),
  )
  const same = matching.filter(({ name }) => isSameName(name, text))
  const others = matching.filter((person) => !same.includes(person))
  const rows = [...same, ...others].map((person): NameRow => ({ kind: 'known', person }))
  return text === '' || same.length > 0 ? rows : [{ kind: 'add', name: text }, ...rows]
}

/** Returns "In 7 clips since 12 November". */
export function seenLabel({ events, first_seen }: HomePerson, now: number): string {
  return `In ${inClips(events)}${first_seen === null ? '' : ` since ${dayWords(first_seen, now)}`}`
}

/** Returns "Today, 07:37"; "Not seen lately" for a person without clips. */
export const lastSeenLabel = ({ last_seen }: HomePerson, now: number): string =>
  last_seen === null ? 'Not seen lately' : dateTimeLabel(last_seen, now)

const staying = (clips: number) => `${inClips(clips)} ${clips === 1 ? 'stays' : 'stay'}.`

/** Describes what is deleted when a person is deleted, and the clips that stay. */
export function personDeletionText({ name, named, events }: HomePerson): string {
  return named
    ? `Deletes ${name}’s name and face data. ${staying(events)}`
    : `Deletes the face data of ${name}. ${staying(events)}`
}

/** Returns "1 person", "4 people". */
export const inPeople = (count: number): string => `${inFigures(count)} ${count === 1 ? 'person' : 'people'}`

/** Describes the result of merging two people: all clips of both appear under the name that stays. */
export const mergeText = (stays: HomePerson, other: HomePerson): string =>
  `Merging puts all ${inClips(stays.events + other.events)} under ${stays.name}. You can undo it for 10 minutes.`

/** Returns "Camera AI, Unlimited, and Unlimited Pro": the plans that include people. */
export const peoplePlans = (): string =>
  new Intl.ListFormat('en-US').format(PLANS.filter(({ people }) => people).map(({ name }) => name))

/**
 * Returns the URL that lists a person's clips. The list covers 60 days if the person was first seen before the shorter
 * default range.
 */
export function clipsHref({ name, first_seen }: HomePerson, now: number): string {
  const isOlder = first_seen !== null && first_seen < now - SHORT_RANGE_MS
  const filter = { ...DEFAULT_FILTER, ...(isOlder && { range: 60 as const }), people: [name] }
  return `/events${formatEventAddress({ filter, open: null })}`
}

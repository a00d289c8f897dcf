import { PLANS } from '../../../contract/billing/plan-catalog.ts'
import type { HomePeople, HomePerson, SamePersonSuggestion } from '../../../contract/events/people.ts'
import { formatClipCount, formatCount } from './counts.ts'
import { formatAll, formatAllAtStart, formatList } from './lists.ts'
import { dayWords, dateTimeLabel } from '../time/date-formats.ts'
import { DEFAULT_FILTER, formatEventsQuery } from '../events/event-url.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const SHORT_RANGE_MS = 14 * DAY_MS

const isSameName = (a: string, b: string) => a.toLocaleLowerCase() === b.toLocaleLowerCase()

export interface UnnamedPerson {
  readonly home: HomePeople
  readonly person: HomePerson
}

/**
 * Returns the unnamed person with the generated name `name` ("Person 3"), and the camera's home. Returns null if there
 * is no such person or the home does not use recognition.
 */
export function findUnnamedPerson(homes: readonly HomePeople[], deviceId: string, name: string): UnnamedPerson | null {
  const home = homes.find(({ cameras }) => cameras.includes(deviceId))
  const person = home?.people.find(
    (candidate) => !candidate.named && !candidate.hidden && isSameName(candidate.name, name),
  )
  return home?.recognition && person ? { home, person } : null
}

/** Suggestion below the name field: a new name, or a person whose name matches the text. */
export type NameSuggestion =
  { readonly kind: 'add'; readonly name: string } | { readonly kind: 'known'; readonly person: HomePerson }

/** Returns the suggestions for typed text. Does not suggest a person's existing name as a new name. */
export function listNameSuggestions(people: readonly HomePerson[], typed: string): NameSuggestion[] {
  const text = typed.trim()
  const matching = people.filter(
    ({ named, name }) => named && name.toLocaleLowerCase().includes(text.toLocaleLowerCase()),
  )
  const same = matching.filter(({ name }) => isSameName(name, text))
  const others = matching.filter((person) => !same.includes(person))
  const rows = [...same, ...others].map((person): NameSuggestion => ({ kind: 'known', person }))
  return text === '' || same.length > 0 ? rows : [{ kind: 'add', name: text }, ...rows]
}

/** Returns "In 7 clips since 12 November". */
export function seenLabel({ events, first_seen }: HomePerson, now: number): string {
  return `In ${formatClipCount(events)}${first_seen === null ? '' : ` since ${dayWords(first_seen, now)}`}`
}

/** Returns "Today, 07:37"; "Not seen recently" for a person without clips. */
export const lastSeenLabel = ({ last_seen }: HomePerson, now: number): string =>
  last_seen === null ? 'Not seen recently' : dateTimeLabel(last_seen, now)

const clipsStayText = (clips: number) => `${formatClipCount(clips)} will be kept.`

/** Describes what deleting a person removes, and how many clips stay. */
export function personDeletionText({ name, named, events }: HomePerson): string {
  return named
    ? `Deletes ${name}’s name and face data. ${clipsStayText(events)}`
    : `Deletes ${name}’s face data. ${clipsStayText(events)}`
}

/** Returns "1 person", "4 people". */
export const formatPeopleCount = (count: number): string => formatCount(count, 'person', 'people')

function formatMergedClips(count: number): string {
  if (count === 0) return 'Future clips'
  return count === 1 ? '1 clip' : formatAllAtStart(count, 'clip')
}

/** Describes the result of merging two people: the clips of both move to the remaining person. */
export const mergeText = (stays: HomePerson, other: HomePerson): string =>
  `${formatMergedClips(stays.events + other.events)} will appear under ${stays.name}. You can undo this for 10 minutes.`

/** Describes the result of merging two people who were suggested as one. */
export const suggestedMergeText = (stays: HomePerson, other: HomePerson): string =>
  `Merging puts ${formatAll(stays.events + other.events, 'clip')} under ${stays.name}. You can undo this for 10 minutes.`

/** Returns "Seen within a minute of each other on Front door 3 times, but never in the same clip." */
export function suggestionReason({ visits, cameras }: SamePersonSuggestion): string {
  const place = cameras.length === 0 ? '' : ` on ${formatList(cameras)}`
  return `Seen within a minute of each other${place} ${formatCount(visits, 'time')}, but never in the same clip.`
}

/** Returns "Camera AI, Unlimited, and Unlimited Pro": the plans that include people. */
export const formatPlansWithPeople = (): string =>
  formatList(PLANS.filter(({ people }) => people).map(({ name }) => name))

/**
 * Returns the URL that lists a person's clips. The list covers 60 days if the person was first seen before the shorter
 * default range.
 */
export function getPersonClipsUrl({ name, first_seen }: HomePerson, now: number): string {
  const isOlder = first_seen !== null && first_seen < now - SHORT_RANGE_MS
  const filter = { ...DEFAULT_FILTER, ...(isOlder && { range: 60 as const }), people: [name] }
  return `/events${formatEventsQuery({ filter, open: null })}`
}

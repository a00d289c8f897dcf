import {
  ACTIVITY_COUNT_MAX,
  ACTIVITY_GROUPS,
  type ActivityEntry,
  type ActivityGroup,
  type ActivityKind,
  type SignInCredential,
} from '../../../contract/account/activity.ts'
import { formatNumber, formatBytes } from './counts.ts'
import { formatClock, dayMonthLabel, hourRangeLabel } from '../time/date-formats.ts'
import { type Day, toDay, isSameDay } from '../time/local-time.ts'

/** Texts of an activity entry; times in the browser's time zone. */
export interface ActivityTexts {
  readonly title: string
  /** '' if the title is sufficient. */
  readonly line: string
  /** Time of the entry, `09:12`, or the hour in which several events were counted, `08 to 09`. */
  readonly time: string
}

type TextBuilder = (entry: ActivityEntry) => readonly [title: string, line?: string]

const actorName = ({ own, who: actor }: ActivityEntry) => (own ? 'You' : (actor ?? 'Someone'))
const cameraName = ({ camera }: ActivityEntry) => camera || 'a camera'
const formatDevice = ({ device, address }: ActivityEntry, first = '') =>
  [first, device, address].filter(Boolean).join(' · ')
const formatCappedCount = (count: number) =>
  count >= ACTIVITY_COUNT_MAX ? `${formatNumber(ACTIVITY_COUNT_MAX)} or more` : formatNumber(count)
const formatCount = (count: number, singular: string) =>
  `${formatCappedCount(count)} ${count === 1 ? singular : `${singular}s`}`
const formatTimes = (count: number) => (count === 1 ? 'Once' : `${formatCappedCount(count)} times`)
const timesSuffix = ({ count }: ActivityEntry) => (count === 1 ? '' : ` ${formatTimes(count)}`)
const SETTING_LABELS: Readonly<Record<string, string>> = {
  motion: 'motion',
  sensitivity: 'sensitivity',
  zones: 'zones',
  places: 'location',
  storage: 'storage limits',
}

const BY_OPERATOR_TEXT = 'By this portal’s operator'
/** Reasons for failed sign-ins, by method. A code or recovery code is requested only after the correct password. */
const FAILED_SIGN_IN_TITLES: Readonly<
  Record<SignInCredential, { readonly refused: string; readonly limited: string }>
> = {
  password: { refused: 'Wrong password', limited: 'Too many wrong passwords' },
  code: { refused: 'Correct password, wrong code', limited: 'Correct password, too many wrong codes' },
  recovery: { refused: 'Correct password, wrong recovery code', limited: 'Correct password, too many wrong codes' },
  passkey: { refused: 'Passkey not accepted', limited: 'Too many rejected passkeys' },
}
/** Reasons for failed sign-ins in entries of earlier versions, which do not name the sign-in method. */
const UNKNOWN_METHOD_TITLES = { refused: 'Wrong password or passkey', limited: 'Too many attempts' }
const attemptTexts = ({ value }: ActivityEntry) =>
  Object.hasOwn(FAILED_SIGN_IN_TITLES, value) ? FAILED_SIGN_IN_TITLES[value as SignInCredential] : UNKNOWN_METHOD_TITLES
const prefixDevice = (entry: ActivityEntry) => ({ ...entry, device: `from ${entry.device}` })

const ACTIVITY_TEXTS: Readonly<Record<ActivityKind, TextBuilder>> = {
  'sign-in': (entry) => ['You logged in', formatDevice(entry)],
  'sign-in-refused': (entry) => [`Login failed${timesSuffix(entry)}`, formatDevice(entry, attemptTexts(entry).refused)],
  'sign-in-limited': (entry) => [
    `Login temporarily blocked${timesSuffix(entry)}`,
    formatDevice(entry, attemptTexts(entry).limited),
  ],
  'refresh-reuse': () => ['We ended a session', 'Someone else may have used the session'],
  'sign-out': (entry) => ['You logged out', formatDevice(entry)],
  'session-ended': (entry) =>
    entry.device === ''
      ? ['We ended a session', `${entry.value} · to make room for a newer session`]
      : ['You ended a session', formatDevice(prefixDevice(entry), entry.value)],
  'sessions-ended': (entry) => [
    'You ended all other sessions',
    formatDevice(prefixDevice(entry), `${formatCount(entry.count, 'session')}: ${entry.value}`),
  ],
  'password-changed': (entry) => ['Your password was changed', formatDevice(entry) || BY_OPERATOR_TEXT],
  'second-factor-on': (entry) => ['Two-step verification turned on', formatDevice(entry)],
  'second-factor-off': (entry) => ['Two-step verification turned off', formatDevice(entry) || BY_OPERATOR_TEXT],
  'recovery-codes': (entry) => ['New recovery codes created', formatDevice(entry)],
  'passkey-added': (entry) => ['Passkey added', formatDevice(entry)],
  'passkey-removed': (entry) => ['Passkey removed', formatDevice(entry) || BY_OPERATOR_TEXT],
  watched: (entry) => [`${actorName(entry)} watched ${cameraName(entry)}`, watchedLine(entry)],
  shared: (entry) => [`${actorName(entry)} shared ${cameraName(entry)}`, `With ${entry.whom ?? 'a deleted account'}`],
  unshared: (entry) => [
    `${actorName(entry)} stopped sharing ${cameraName(entry)}`,
    `With ${entry.whom ?? 'a deleted account'}`,
  ],
  'camera-renamed': (entry) => [`${actorName(entry)} renamed a camera`, entry.value && `New name: ${entry.value}`],
  'camera-settings': (entry) => [`${actorName(entry)} changed camera settings`, settingsLine(entry)],
  'camera-resolution': (entry) => [
    `${actorName(entry)} changed camera settings`,
    `${cameraName(entry)}: resolution ${entry.value}`,
  ],
  'camera-power': (entry) => [`${actorName(entry)} turned ${cameraName(entry)} ${entry.value}`],
  'camera-removed': (entry) => [`${actorName(entry)} removed ${cameraName(entry)}`],
  'bridge-added': ({ value }) => ['Hub added', value],
  'bridge-renamed': (entry) => [`${actorName(entry)} renamed a hub`, entry.value && `New name: ${entry.value}`],
  'bridge-removed': (entry) => [`${actorName(entry)} removed a hub`, entry.value],
  'events-deleted': (entry) => [`${actorName(entry)} deleted ${formatCount(entry.count, 'event')}`],
  'events-restored': (entry) => [`${actorName(entry)} restored ${formatCount(entry.count, 'event')}`],
  'people-recognition': (entry) => [`${actorName(entry)} turned people recognition ${entry.value}`],
  'people-forgotten': (entry) => [
    `${actorName(entry)} deleted face data${entry.count > 1 ? ` for ${entry.count} people` : ''}`,
  ],
  'account-leaves': (entry) => ['You scheduled your account for deletion', formatDevice(entry)],
  'account-stays': (entry) => ['You canceled the account deletion', formatDevice(entry)],
  'account-removed': () => ['An account with access to this home was deleted'],
  export: (entry) => [`${actorName(entry)} downloaded ${formatCount(entry.count, 'clip')}`, exportLine(entry)],
  'clip-sent': (entry) => [
    entry.value === 'withdraw'
      ? `${actorName(entry)} withdrew a clip sent for review`
      : `${actorName(entry)} sent a clip from ${cameraName(entry)} for review`,
    entry.value === 'withdraw' ? entry.camera : 'To help improve event labels',
  ],
}

const UNKNOWN_KIND_TEXT: TextBuilder = () => ['Unknown activity', 'Reload this page to see the details.']

function watchedLine({ count, clips }: ActivityEntry): string {
  const live = count > 0 ? `Live ${formatTimes(count).toLowerCase()}` : ''
  return [live, clips > 0 ? formatCount(clips, 'clip') : ''].filter(Boolean).join(' · ')
}

function settingsLine(entry: ActivityEntry): string {
  const names = entry.value.split(' ').filter((name) => name !== '')
  return `${cameraName(entry)}${names.length > 0 ? `: ${names.map((name) => SETTING_LABELS[name] ?? name).join(', ')}` : ''}`
}

/** Describes an export: `20 November · 96 MB archive`; several days as `18 November to 20 November`. */
function exportLine({ value, bytes }: ActivityEntry): string {
  const [first = NaN, last = NaN] = value.split(' ').map(Number)
  const end = Number.isFinite(last) ? dayMonthLabel(last) : ''
  const start = Number.isFinite(first) && !isSameDay(first, last) ? `${dayMonthLabel(first)} to ` : ''
  return [end && start + end, bytes > 0 ? `${formatBytes(bytes)} archive` : ''].filter(Boolean).join(' · ')
}

/** Returns title, line and time of an entry, including entries that a later version has written. */
export function describeActivity(entry: ActivityEntry): ActivityTexts {
  const { at, until, kind } = entry
  const [title, line = ''] = (
    Object.hasOwn(ACTIVITY_TEXTS, kind) ? ACTIVITY_TEXTS[kind as ActivityKind] : UNKNOWN_KIND_TEXT
  )(entry)
  return { title, line, time: kind === 'watched' ? hourRangeLabel(at) : formatClock(until) }
}

/** Returns the filter group that contains an activity kind; null for a kind of a later version. */
export function findActivityGroup(kind: string): ActivityGroup | null {
  const groups = Object.entries(ACTIVITY_GROUPS) as [ActivityGroup, readonly string[]][]
  return groups.find(([, kinds]) => kinds.includes(kind))?.[0] ?? null
}

export interface ActivityDay {
  readonly day: Day
  readonly entries: readonly ActivityEntry[]
}

/** Groups entries by the local day on which they begin, keeping their order. */
export function groupActivityByDay(entries: readonly ActivityEntry[]): ActivityDay[] {
  const days = new Map<Day, ActivityEntry[]>()
  for (const entry of entries) {
    const day = toDay(entry.at)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days].map(([day, entries]) => ({ day, entries }))
}

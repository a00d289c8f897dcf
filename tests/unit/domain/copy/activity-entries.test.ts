import { describe, expect, test } from 'vitest'
import { ACTIVITY_GROUPS, type ActivityEntry } from '../../../../contract/account/activity.ts'
import {
  describeActivity,
  groupActivityByDay,
  findActivityGroup,
} from '../../../../src/domain/copy/activity-entries.ts'
import { areDistinct, extractFacts } from '../../../support/facts.ts'
import { lifetimeText, sessionText } from '../../../../src/domain/copy/sessions.ts'

const localTime = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()
const createEntry = (kind: string, change: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: `${localTime(22, 9)}-000000`,
  at: localTime(22, 8, 12),
  until: localTime(22, 8, 40),
  kind,
  who: 'maya@example.com',
  own: true,
  whom: null,
  camera: '',
  value: '',
  count: 1,
  clips: 0,
  bytes: 0,
  device: '',
  address: '',
  ...change,
})
const describeEntry = (kind: string, change: Partial<ActivityEntry> = {}) => {
  const { title, line, time } = describeActivity(createEntry(kind, change))
  return [title, line, time]
}
const SHARED_WITH_SAM = { who: 'sam@example.com', own: false, camera: 'Front door' }

const DEVICE_AND_CAMERA_NAMES = [
  'Chrome on Linux',
  'Safari on iPhone',
  'Edge on Windows',
  'Edge',
  'Yard',
  'Garage',
  'Front door',
]
const facts = (kind: string, change: Partial<ActivityEntry> = {}) => {
  const { title, line, time } = describeActivity(createEntry(kind, change))
  return [extractFacts(title, ...DEVICE_AND_CAMERA_NAMES), extractFacts(line, ...DEVICE_AND_CAMERA_NAMES), time]
}

describe('activity entry text', () => {
  test.each<[string, Partial<ActivityEntry>, string[], string[]]>([
    ['sign-in', { device: 'Chrome on Linux', address: '203.0.113.x' }, [], ['Chrome on Linux', '203.0.113.x']],
    ['sign-in-refused', { own: false, who: null, count: 3, device: 'Edge' }, ['3'], ['Edge']],
    ['sign-in-refused', { value: 'code', device: 'Edge' }, [], ['Edge']],
    ['sign-in-limited', { value: 'password' }, [], []],
    ['sign-out', { device: 'Chrome on Linux' }, [], ['Chrome on Linux']],
    [
      'session-ended',
      { value: 'Safari on iPhone', device: 'Chrome on Linux', address: '203.0.113.x' },
      [],
      ['Safari on iPhone', 'Chrome on Linux', '203.0.113.x'],
    ],
    ['session-ended', { value: 'Safari on iPhone' }, [], ['Safari on iPhone']],
    [
      'sessions-ended',
      { count: 2, value: 'Safari on iPhone, Edge on Windows', device: 'Chrome on Linux' },
      [],
      ['2', 'Safari on iPhone', 'Edge on Windows', 'Chrome on Linux'],
    ],
    ['second-factor-on', { device: 'Chrome on Linux' }, [], ['Chrome on Linux']],
    ['passkey-added', { device: 'Chrome on Linux' }, [], ['Chrome on Linux']],
    ['shared', { camera: 'Yard', whom: 'sam@example.com' }, ['Yard'], ['sam@example.com']],
    ['camera-settings', { camera: 'Garage', value: 'motion zones' }, [], ['Garage']],
    ['events-deleted', { count: 1 }, ['1'], []],
    ['events-restored', { count: 1000 }, ['1,000'], []],
    [
      'export',
      { count: 14, bytes: 96e6, value: `${localTime(20, 9)} ${localTime(20, 10)}` },
      ['14'],
      ['20 Nov', '96 MB'],
    ],
    ['export', { value: `${localTime(18, 9)} ${localTime(20, 10)}`, bytes: 10 }, ['1'], ['18 Nov', '20 Nov', '1 kB']],
  ])('%s %j', (kind, change, title, line) => {
    expect(facts(kind, change)).toEqual([title, line, '08:40'])
  })

  test('names the kind of failed or limited attempt; entries from earlier versions get a generic text', () => {
    for (const [kind, methods] of [
      ['sign-in-refused', ['password', 'code', 'recovery', 'passkey', 'of-tomorrow']],
      ['sign-in-limited', ['password', 'code', 'passkey', 'of-tomorrow']],
    ] as const)
      expect(areDistinct(methods.map((value) => describeEntry(kind, { value })[1] ?? ''))).toBe(true)
    expect(describeEntry('sign-in-limited', { value: 'recovery' })).toEqual(
      describeEntry('sign-in-limited', { value: 'code' }),
    )
    expect(describeEntry('sign-in-refused', { value: 'toString' })).toEqual(
      describeEntry('sign-in-refused', { value: 'of-tomorrow' }),
    )
  })

  test('names the operator if no device made the change', () => {
    const lines = (['second-factor-off', 'password-changed', 'passkey-removed'] as const).map(
      (kind) => describeEntry(kind)[1],
    )
    expect([new Set(lines).size, lines[0] === '']).toEqual([1, false])
    expect(describeEntry('passkey-removed', { device: 'Edge' })[1]).toBe('Edge')
  })

  test('names who ended a session and which settings changed', () => {
    const here = { value: 'Safari on iPhone', device: 'Edge' }
    expect(areDistinct([describeEntry('session-ended', here)[0] ?? '', describeEntry('session-ended')[0] ?? ''])).toBe(
      true,
    )
    expect(describeEntry('camera-settings', { value: 'motion zones' })[1]).toMatch(/motion.*zones/)
    expect(areDistinct(['motion', 'places'].map((value) => describeEntry('camera-settings', { value })[1] ?? ''))).toBe(
      true,
    )
  })

  test('names who watched, how often and in which hour', () => {
    expect(facts('watched', { ...SHARED_WITH_SAM, count: 3 })).toEqual([
      ['sam@example.com', 'Front door'],
      ['3'],
      '08 to 09',
    ])
    expect(facts('watched', { ...SHARED_WITH_SAM, count: 0, clips: 2 })[1]).toEqual(['2'])
    const nobody = { ...SHARED_WITH_SAM, count: 1, clips: 1, who: null }
    expect(facts('watched', nobody)).toEqual([['Front door'], ['1'], '08 to 09'])
    expect(describeEntry('watched', nobody)[1]?.split(' · ')).toHaveLength(2)
  })

  test('is the same generic text for all kinds from a later version', () => {
    expect(describeEntry('toString')).toEqual(describeEntry('of-tomorrow'))
    expect(describeEntry('of-tomorrow').every((text) => text !== '')).toBe(true)
  })

  test('exists for every kind, and every kind has a group', () => {
    for (const kind of Object.values(ACTIVITY_GROUPS).flat()) {
      expect(describeEntry(kind)[0]).not.toBe(describeEntry('of-tomorrow')[0])
      expect(findActivityGroup(kind)).not.toBeNull()
    }
    expect(findActivityGroup('of-tomorrow')).toBeNull()
  })
})

test('entries are grouped by the local day on which they began', () => {
  const list = [localTime(22, 0, 1), localTime(21, 23, 59), localTime(21, 0)].map((time) =>
    createEntry('sign-in', { at: time }),
  )
  expect(groupActivityByDay(list).map(({ day, entries }) => [day, entries.length])).toEqual([
    ['2026-11-22', 1],
    ['2026-11-21', 2],
  ])
})

test('a session shows when it was last used and when it ends', () => {
  const now = localTime(22, 9)
  const times = {
    started: localTime(22, 7, 52) / 1000,
    last_used: localTime(21, 20) / 1000,
    ends: new Date(2026, 11, 5).getTime() / 1000,
  }
  const describeSession = (change: Partial<typeof times> & { current: boolean }) =>
    sessionText({ ...times, ...change }, now)
  expect(extractFacts(describeSession({ current: true }))).toEqual(['07:52', '5 Dec'])
  expect(extractFacts(describeSession({ current: false }), 'yesterday')).toEqual(['yesterday', '5 Dec'])
  expect(extractFacts(describeSession({ last_used: localTime(12, 8) / 1000, current: false }))).toEqual([
    '12 Nov',
    '5 Dec',
  ])
  expect(describeSession({ current: true })).toContain('5\u00a0December')
})

test.each([
  [14 * 86_400, 30 * 86_400, ['14 days', '30 days']],
  [3600, 86_400, ['1 hour', '1 day']],
])('the session text names an idle timeout of %i s and an absolute lifetime of %i s', (idle, life, facts) => {
  expect(extractFacts(lifetimeText(idle, life))).toEqual(facts)
})

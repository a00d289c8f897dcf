import { describe, expect, test } from 'vitest'
import { ACTIVITY_GROUPS, type ActivityEntry } from '../../contract/activity.ts'
import { activityWords, byDay, groupOf } from '../../src/domain/activity-words.ts'
import { lastsWords, sessionWords } from '../../src/domain/session-words.ts'

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()
const entry = (kind: string, change: Partial<ActivityEntry> = {}): ActivityEntry => ({
  ...{ id: `${at(22, 9)}-000000`, at: at(22, 8, 12), until: at(22, 8, 40), kind, who: 'maya@example.com', own: true },
  ...{ whom: null, camera: '', value: '', count: 1, clips: 0, bytes: 0, device: '', address: '', ...change },
})
const said = (kind: string, change: Partial<ActivityEntry> = {}) => {
  const { title, line, time } = activityWords(entry(kind, change))
  return [title, line, time]
}
const sam = { who: 'sam@example.com', own: false, camera: 'Front door' }

describe('the words of an entry', () => {
  test.each([
    [
      'sign-in',
      { device: 'Chrome on Linux', address: '203.0.113.x' },
      'You signed in',
      'Chrome on Linux · 203.0.113.x',
    ],
    [
      'sign-in-refused',
      { own: false, who: null, count: 3, device: 'Edge' },
      'Sign-in refused 3 times',
      'Wrong password or passkey · Edge',
    ],
    ['sign-in-refused', { value: 'code', device: 'Edge' }, 'Sign-in refused', 'Right password, wrong code · Edge'],
    ['sign-in-limited', { value: 'password' }, 'Sign-in held back', 'Too many wrong passwords'],
    ['sign-in-limited', { value: 'passkey' }, 'Sign-in held back', 'Too many passkeys were not accepted'],
    ['sign-in-limited', { value: 'recovery' }, 'Sign-in held back', 'Right password, too many wrong codes'],
    ['sign-in-limited', { value: 'of-tomorrow' }, 'Sign-in held back', 'Too many tries'],
    ['sign-out', { device: 'Chrome on Linux' }, 'You signed out', 'Chrome on Linux'],
    [
      'session-ended',
      { value: 'Safari on iPhone', device: 'Chrome on Linux', address: '203.0.113.x' },
      'You ended a session',
      'Safari on iPhone · from Chrome on Linux · 203.0.113.x',
    ],
    [
      'session-ended',
      { value: 'Safari on iPhone' },
      'A session was ended',
      'Safari on iPhone · to make room for a newer one',
    ],
    [
      'sessions-ended',
      { count: 2, value: 'Safari on iPhone, Edge on Windows', device: 'Chrome on Linux' },
      'You ended all other sessions',
      '2 sessions: Safari on iPhone, Edge on Windows · from Chrome on Linux',
    ],
    ['second-factor-on', { device: 'Chrome on Linux' }, 'Second factor turned on', 'Chrome on Linux'],
    ['second-factor-off', {}, 'Second factor turned off', 'By who runs this portal'],
    ['password-changed', {}, 'Your password was changed', 'By who runs this portal'],
    ['passkey-added', { device: 'Chrome on Linux' }, 'A passkey was added', 'Chrome on Linux'],
    ['passkey-removed', {}, 'A passkey was removed', 'By who runs this portal'],
    ['shared', { camera: 'Yard', whom: 'sam@example.com' }, 'You shared Yard', 'With sam@example.com'],
    ['camera-settings', { camera: 'Garage', value: 'motion zones' }, 'You changed a setting', 'Garage: motion, zones'],
    ['camera-settings', { camera: 'Garage', value: 'places' }, 'You changed a setting', 'Garage: where it looks'],
    ['events-deleted', { count: 1 }, 'You deleted 1 event', ''],
    ['events-restored', { count: 1000 }, 'You brought back 1,000 or more events', ''],
    [
      'export',
      { count: 14, bytes: 96e6, value: `${at(20, 9)} ${at(20, 10)}` },
      'You took 14 clips',
      '20 November · archive of 96 MB',
    ],
    [
      'export',
      { value: `${at(18, 9)} ${at(20, 10)}`, bytes: 10 },
      'You took 1 clip',
      '18 November to 20 November · archive of 1 kB',
    ],
    ['of-tomorrow', {}, 'Something happened', 'This page is older than the entry. Load it again to read it.'],
    ['toString', {}, 'Something happened', 'This page is older than the entry. Load it again to read it.'],
  ])('%s %j', (kind, change, title, line) => {
    expect(said(kind, change)).toEqual([title, line, '08:40'])
  })

  test('name who watched, how often and within which hour', () => {
    expect(said('watched', { ...sam, count: 3 })).toEqual([
      'sam@example.com watched Front door',
      '3 times, live',
      '08 to 09',
    ])
    expect(said('watched', { ...sam, count: 0, clips: 2 })[1]).toBe('2 clips')
    expect(said('watched', { ...sam, count: 1, clips: 1, who: null })).toEqual([
      'Somebody watched Front door',
      'Once, live · 1 clip',
      '08 to 09',
    ])
  })

  test('are there for every kind, and each has a group', () => {
    for (const kind of Object.values(ACTIVITY_GROUPS).flat()) {
      expect(said(kind)[0]).not.toBe('Something happened')
      expect(groupOf(kind)).not.toBeNull()
    }
    expect(groupOf('of-tomorrow')).toBeNull()
  })
})

test('entries stand under the local day on which they began', () => {
  const list = [at(22, 0, 1), at(21, 23, 59), at(21, 0)].map((time) => entry('sign-in', { at: time }))
  expect(byDay(list).map(({ day, entries }) => [day, entries.length])).toEqual([
    ['2026-11-22', 1],
    ['2026-11-21', 2],
  ])
})

test('a session says when it was last used and when it ends', () => {
  const now = at(22, 9)
  const ends = 'ends\u00a05\u00a0December'
  const times = {
    started: at(22, 7, 52) / 1000,
    last_used: at(21, 20) / 1000,
    ends: new Date(2026, 11, 5).getTime() / 1000,
  }
  expect(sessionWords({ ...times, current: true }, now)).toBe(`This device, since 07:52 · ${ends}`)
  expect(sessionWords({ ...times, current: false }, now)).toBe(`Yesterday · ${ends}`)
  expect(sessionWords({ ...times, last_used: at(12, 8) / 1000, current: false }, now)).toBe(`12 November · ${ends}`)
})

test.each([
  [14 * 86_400, 30 * 86_400, 'Ends after 14 days unused, or after 30 days.'],
  [3600, 86_400, 'Ends after 1 hour unused, or after 1 day.'],
])('sessions that last %i s unused and %i s in all say so', (idle, life, words) => {
  expect(lastsWords(idle, life)).toBe(words)
})

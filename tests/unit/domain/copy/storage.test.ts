import { describe, expect, test } from 'vitest'
import type { CameraStorage } from '../../../../contract/cameras/storage-calls.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'
import { type CameraRetention, earlyDeletionText } from '../../../../src/domain/copy/retention.ts'
import { deletionText, diskText, limitError, limitsText, usageText } from '../../../../src/domain/copy/storage.ts'
import { formatClock, shortDayLabel } from '../../../../src/domain/time/date-formats.ts'
import { extractFacts } from '../../../support/facts.ts'

const createCamera = (deviceId: string, retention: Partial<CameraRetention>): CameraRetention => ({
  deviceId,
  days: 30,
  keptSince: 0,
  freedUntil: null,
  maxDays: null,
  ...retention,
})

describe('notice of clips that were deleted early', () => {
  const now = 40 * DAY_MS
  const [begin, end] = [now - 20 * DAY_MS, now]
  const keptSince = now - 30 * DAY_MS
  const findNotice = (cameras: readonly Partial<CameraRetention>[], chosen: readonly string[] = []) =>
    earlyDeletionText(
      {
        own: { days: 30, keptSince },
        cameras: cameras.map((camera, i) => createCamera(`c${i}`, { keptSince, ...camera })),
      },
      { begin, end },
      chosen,
      now,
    )

  test('is absent without an early deletion on the chosen days, and for clips that the plan no longer keeps', () => {
    expect(findNotice([{}, { freedUntil: begin }])).toBeNull()
    expect(findNotice([{ freedUntil: begin + 2, keptSince: begin + 3 }])).toBeNull()
    expect(findNotice([{ maxDays: 20 }, { maxDays: 60 }])).toBeNull()
  })

  test('names the time before which clips were deleted to free up space, only for the selected cameras', () => {
    const cameras = [{}, { freedUntil: now - 3 * DAY_MS }, { freedUntil: now - 5 * DAY_MS }]
    const [all, single] = [findNotice(cameras), findNotice(cameras, ['c1'])]
    const freedUntil = now - 3 * DAY_MS
    const time = `${shortDayLabel(freedUntil, now)}, ${formatClock(freedUntil)},`
    expect([all?.text, single?.text]).toEqual([
      `Some clips before ${time} were deleted to free up space.`,
      `Clips before ${time} were deleted to free up space.`,
    ])
    expect([all?.deviceIds, single?.deviceIds]).toEqual([['c1', 'c2'], ['c1']])
    expect(findNotice(cameras, ['c0'])).toBeNull()
  })

  test('names the limit in days that the owner set', () => {
    const notice = findNotice([{ maxDays: 7 }])
    expect(extractFacts(notice?.text ?? '')).toEqual(['7 days'])
    expect(notice?.deviceIds).toEqual(['c0'])
    expect(notice?.text).not.toContain('free up space')
  })

  test('says if clips of all chosen days were deleted', () => {
    expect(findNotice([{ freedUntil: end + 1 }])?.isAllDeleted).toBe(true)
    expect(findNotice([{ freedUntil: end + 1 }, {}])?.isAllDeleted).toBe(false)
  })
})

const now = 40 * DAY_MS
const CAMERA: CameraStorage = {
  device_id: 'a',
  nickname: 'Gate',
  bytes: 12_400_000_000,
  clips: 120,
  bytes_per_day: 1_200_000_000,
  fits_days: 45,
  plan_days: 30,
  max_bytes: null,
  max_days: null,
  freed_until: null,
}
const describeRoom = (change: Partial<CameraStorage>) => usageText({ ...CAMERA, ...change }).split('clips. ')[1]

describe('storage of a camera', () => {
  test('names the stored clips', () => {
    expect(usageText(CAMERA)).toMatch(/^12\.4 GB in 120 clips\. /)
    expect(usageText({ ...CAMERA, clips: 0 })).toBe('No space used yet.')
  })

  test('names the space per day and the days that fit, if they are known', () => {
    expect(describeRoom({})).toBe('About 1.2 GB per day. Room for about 45 days.')
    expect(describeRoom({ fits_days: null })).toBe('About 1.2 GB per day.')
    expect(describeRoom({ bytes_per_day: null, fits_days: null })).not.toMatch(/\d/)
    expect(describeRoom({ fits_days: 0 })).toContain('less than a day')
  })

  test('warns only if fewer days fit than the camera keeps', () => {
    expect(describeRoom({ fits_days: 12 })).toMatch(/12 days\..*oldest clips.*30 days/)
    expect(describeRoom({ fits_days: 12, max_days: 12 })).not.toContain('oldest')
    expect(describeRoom({ fits_days: 12, max_days: 60 })).toContain('30 days')
  })

  test('names the limits, and never more days than the plan keeps', () => {
    expect(limitsText(CAMERA)).toBe('Keeps 30 days, like its plan.')
    expect(limitsText({ ...CAMERA, max_bytes: 20e9, max_days: 7 })).toBe('Keeps at most 20.0 GB and 7 days.')
    expect(limitsText({ ...CAMERA, max_days: 60 })).toBe('Keeps at most 30 days.')
  })

  test('says what new limits delete', () => {
    const [from, until] = [now - 10 * DAY_MS, now - 2 * DAY_MS]
    const text = deletionText({ events: 120, bytes: 3_400_000_000, from, until }, now)
    expect(text).toContain('120 events with 3.4 GB of clips')
    expect(text).toMatch(/8 days.*can’t be undone/)
    expect(deletionText({ events: 1, bytes: 0, from, until: from }, now)).not.toContain('kB')
  })

  test('says what is free on the disk, and what to do if it is almost full', () => {
    const disk = { free_bytes: 120e9, reserve_bytes: 50e9 }
    expect(diskText({ disk, room_bytes: 70e9 })).toMatch(/^120\.0 GB are free.*70\.0 GB/)
    const full = diskText({ disk: { ...disk, free_bytes: 20e9 }, room_bytes: 0 })
    expect(full).toMatch(/^Only 20\.0 GB are free.*oldest clips are deleted.*Free up disk space/)
    expect(diskText({ disk: null, room_bytes: null })).toBe('')
    expect(diskText({ disk: null, room_bytes: 0 })).toContain('oldest clips are deleted')
  })

  test.each([
    ['', ''],
    [' 7 ', ''],
    ['30', ''],
    ['31', '30 or less'],
    ['0', 'whole number'],
    ['1.5', 'whole number'],
    ['-3', 'whole number'],
    ['a week', 'whole number'],
  ])('checks the typed days %j', (typed, problem) => {
    const error = limitError(typed, 30, 'days', 30)
    if (problem === '') expect(error).toBe('')
    else expect(error).toContain(problem)
  })
})

// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event } from '../../../contract/events/events.ts'
import { $eventUrl } from '../../../src/stores/events/event-url.ts'
import {
  $clipExport,
  cancelClipExport,
  MAX_EXPORT_CLIPS,
  exportEventClips,
} from '../../../src/stores/events/event-export.ts'
import { type CameraRetention, type RetentionPeriod, retentionText } from '../../../src/domain/copy/retention.ts'
import { $retention, loadRetention } from '../../../src/stores/events/retention.ts'
import { $timeline, $timelineView, watchTimeline, reloadTimeline } from '../../../src/stores/events/timeline.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import { extractFacts } from '../../support/facts.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

const createEvent = (event_id: string): Event => ({
  event_id,
  device_id: 'a',
  event_ts: 1_700_000_000_000,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [],
  reviewed: false,
})
const camera = toDevice({
  device_id: 'a',
  device_model: 'M',
  nickname: 'Gate',
  device_order: 0,
  role: 1,
  device_category: 'camera',
})

beforeEach(() => $devices.set({ state: 'ready', devices: [camera] }))
afterEach(() => {
  while ($toast.get()) closeToast()
  vi.unstubAllGlobals()
})

describe('clip export as one file', () => {
  const exportResponse = (missing: string[]) => ({
    code: 200,
    data: { state: 'ready', url: 'https://media.example/clips.zip', bytes: 4, files: 2 - missing.length, missing },
  })
  const savedFileNames: string[] = []
  beforeEach(() => {
    savedFileNames.length = 0
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('PK..', { status: 206 })))
    URL.createObjectURL = () => 'blob:file'
    URL.revokeObjectURL = () => undefined
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      savedFileNames.push(this.download)
    })
  })

  test('names each clip by camera and time, saves the file and confirms it', async () => {
    const requests = stubApiResponses({ export: exportResponse([]) })
    await exportEventClips([createEvent('e1'), createEvent('e2')])
    const { files } = requests[0]?.body as { files: { event_id: string; name: string }[] }
    expect(files.map(({ event_id }) => event_id)).toEqual(['e1', 'e2'])
    expect(files[0]?.name).toMatch(/^Gate .*\d/)
    expect([savedFileNames, $clipExport.get()]).toEqual([['Porchlight clips.zip'], null])
    expect($toast.get()).toMatchObject({ style: 'success' })
    expect(extractFacts($toast.get()?.text ?? '')).toEqual(['2'])
  })

  test('reports how many events have no clip', async () => {
    stubApiResponses({ export: exportResponse(['e2']) })
    await exportEventClips([createEvent('e1'), createEvent('e2')])
    expect(extractFacts($toast.get()?.text ?? '')).toEqual(['1', '2'])
  })

  test('accepts a maximum number of clips and one export at a time', async () => {
    const requests = stubApiResponses({ export: exportResponse([]) })
    await exportEventClips(Array.from({ length: MAX_EXPORT_CLIPS + 1 }, (_, i) => createEvent(`e${i}`)))
    expect([requests, extractFacts($toast.get()?.text ?? '')]).toEqual([[], [`${MAX_EXPORT_CLIPS}`]])
    closeToast()
    const first = exportEventClips([createEvent('e1')])
    await exportEventClips([createEvent('e2')])
    expect($toast.get()?.style).toBe('warning')
    await first
    expect(requests).toHaveLength(1)
  })

  test('can be canceled without a message', async () => {
    stubApiResponses({ export: { code: 200, data: { state: 'preparing', ready: 1, total: 4 } } })
    const stop = $clipExport.listen((now) => now?.share === 0.25 && cancelClipExport())
    await exportEventClips([createEvent('e1')])
    stop()
    expect([$clipExport.get(), $toast.get(), savedFileNames]).toEqual([null, null, []])
  })
})

describe('retention period', () => {
  test('is that of the camera with the longest period, and is requested again only after a failure', async () => {
    stubApiResponses({})
    await loadRetention()
    expect($retention.get()).toBeNull()
    const longest = { device_id: 'b', days: 60, kept_since: 100 }
    const answer = { days: 14, kept_since: 500, devices: [{ device_id: 'a', days: 14, kept_since: 500 }, longest] }
    const requests = stubApiResponses({ 'retention-policy': { code: 200, data: answer } })
    await loadRetention()
    await loadRetention()
    expect([$retention.get(), requests]).toMatchObject([{ days: 60, keptSince: 100 }, [expect.anything()]])
  })
})

const createCamera = (deviceId: string, retention: Partial<CameraRetention>): CameraRetention => ({
  deviceId,
  days: 30,
  keptSince: 0,
  freedUntil: null,
  maxDays: null,
  ...retention,
})

describe('OPEN-67 retention notice for the chosen days', () => {
  const [long, short] = [
    { days: 30, keptSince: 100 },
    { days: 1, keptSince: 900 },
  ]
  const formatNotice = (
    own: RetentionPeriod,
    cameras: readonly RetentionPeriod[],
    begin: number,
    chosen: readonly string[] = [],
  ) =>
    retentionText(
      { own, cameras: cameras.map((retention, i) => createCamera(`c${i}`, retention)) },
      { begin, end: 1000 },
      chosen,
    )

  test('is absent if every selected camera retains all of these days', () => {
    expect([formatNotice(long, [long], 100), formatNotice(short, [long, short], 100, ['c0'])]).toEqual([null, null])
  })

  test('names the retention days of the account, of the sharing owner, or of both', () => {
    const notices = [formatNotice(short, [], 100), formatNotice(short, [short], 899), formatNotice(short, [long], 99)]
    expect(notices.map((notice) => [extractFacts(notice?.text ?? '', 'owner'), notice?.isOwnPlan])).toEqual([
      [['1 day'], true],
      [['1 day'], true],
      [['owner', '30 days'], false],
    ])
    expect(extractFacts(formatNotice(short, [long, short], 100)?.text ?? '', 'owner')).toEqual(['1 day', '30 days'])
  })

  test('covers all chosen days if they end before the retained days begin', () => {
    const isAll = (end: number) => retentionText({ own: short, cameras: [] }, { begin: 0, end }, [])?.isAllHidden
    expect([isAll(899), isAll(900)]).toEqual([true, false])
  })
})

describe('timeline', () => {
  const timelineResponse = { code: 200, data: { devices: [{ device_id: 'a', runs: [[0, 5, 'recorded', '']] }] } }
  const waitForTimeline = () => vi.waitFor(() => expect($timeline.get().state).not.toBe('loading'), WAIT_OPTIONS)

  test('requests the view plus half its length on each side', async () => {
    const end = Date.now() - 10 * HOUR_MS
    $timelineView.set({ begin: end - 4 * HOUR_MS, end })
    const requests = stubApiResponses({ timeline: timelineResponse })
    reloadTimeline()
    await waitForTimeline()
    const span = { begin: end - 6 * HOUR_MS, end: end + 2 * HOUR_MS }
    expect(requests[0]?.body).toEqual({ device_ids: ['a'], begin_time: span.begin, end_time: span.end })
    expect($timeline.get()).toEqual({ state: 'ready', span, runs: new Map([['a', [[0, 5, 'recorded', '']]]]) })
  })

  test('is subscribed once for any number of strips, until the last strip is gone', async () => {
    const requests = stubApiResponses({ timeline: timelineResponse })
    const stops = [watchTimeline(), watchTimeline()]
    await waitForTimeline()
    expect(requests).toHaveLength(1)
    stops[0]?.()
    $timelineView.set({ begin: 0, end: HOUR_MS })
    await vi.waitFor(() => expect(requests).toHaveLength(2), WAIT_OPTIONS)
    stops[1]?.()
    window.dispatchEvent(new window.Event('online'))
    reloadTimeline()
    await waitForTimeline()
    expect(requests).toHaveLength(3)
  })

  test('keeps its position when all strips open over the phone strip', async () => {
    stubApiResponses({ timeline: timelineResponse })
    const { filter } = $eventUrl.get()
    $eventUrl.set({
      filter: { ...filter, range: { start: '2026-03-02', end: '2026-03-02', hours: [0, 24] } },
      open: null,
    })
    const stops = [watchTimeline()]
    const moved = { begin: $timelineView.get().begin - 5 * HOUR_MS, end: $timelineView.get().begin + 5 * HOUR_MS }
    $timelineView.set(moved)
    stops.push(watchTimeline())
    expect($timelineView.get()).toEqual(moved)
    stops.forEach((stop) => stop())
    $eventUrl.set({ filter, open: null })
  })

  test('keeps its content if a reload fails, and shows the failure if it has none', async () => {
    stubApiResponses({ timeline: timelineResponse })
    reloadTimeline()
    await waitForTimeline()
    const before = $timeline.get()
    const requests = stubApiResponses({})
    const stop = watchTimeline()
    await vi.waitFor(() => expect(requests).toHaveLength(1), WAIT_OPTIONS)
    stop()
    expect($timeline.get()).toBe(before)
    reloadTimeline()
    await waitForTimeline()
    expect($timeline.get()).toMatchObject({ state: 'failed', failure: { inPlace: true } })
  })
})

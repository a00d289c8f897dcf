import { expect, test } from 'vitest'
import { RELAY_MESSAGE_TYPES, EXTRA_TRACK_OFFSETS } from '../../../contract/live/relay-protocol.ts'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import { collectParameterSets } from '../../../bridge/media/h264/parameter-sets.ts'
import { RelayClock } from '../../../bridge/relay/relay-clock.ts'
import { createVideoFragment, createVideoInitialization } from '../../../bridge/relay/fmp4-fragments.ts'
import { VideoRelay } from '../../../bridge/relay/video-relay.ts'
import { CameraRelays } from '../../../bridge/relay/camera-relays.ts'
import { SnapshotSource } from '../../../bridge/relay/snapshots.ts'
import type { VideoSource } from '../../../bridge/sources/video-source.ts'
import { ACTION_PICTURES, readPresentationTimes, withSecondPps } from '../../support/bridge-streams.ts'

const ACCESS_UNITS: AccessUnit[] = ACTION_PICTURES.slice(15, 61).map((picture, i) => ({
  ...picture,
  pts: 1_000_000 + (i * 1000) / 15,
}))
const KEYFRAME_INDEXES = ACCESS_UNITS.flatMap((unit, i) => (unit.keyframe ? [i] : []))

/** Opens a relay with a fake source and socket. The source has already sent `sentCount` frames. */
function openRelay(sentCount: number, name = '', units: readonly AccessUnit[] = ACCESS_UNITS) {
  const sent: Buffer[] = []
  const connection = { waiting: 0, closed: 0, ended: () => undefined as void }
  let watcher: ((unit: AccessUnit) => void) | undefined
  const findLastKeyframe = () => Math.max(0, ...KEYFRAME_INDEXES.filter((at) => at < sentCount))
  const source = {
    getGop: () => units.slice(findLastKeyframe(), sentCount),
    watch: (onUnit: (unit: AccessUnit) => void) => {
      watcher = onUnit
      return () => (watcher = undefined)
    },
  } as unknown as VideoSource
  let ends = 0
  const relay = new VideoRelay(source, {
    name,
    epoch: new RelayClock(),
    open: (ended) => {
      connection.ended = ended
      return {
        send: (message) => void sent.push(message),
        get waiting() {
          return connection.waiting
        },
        isOpen: true,
        close: () => void (connection.closed += 1),
      }
    },
    ended: () => void (ends += 1),
  })
  const sendFrame = (count: number) => {
    for (const unit of units.slice(sentCount, sentCount + count)) watcher?.(unit)
    sentCount += count
  }
  return {
    relay,
    sent,
    connection,
    sendFrame,
    kinds: () => sent.map((message) => message[0]),
    ends: () => ends,
    isWatching: () => watcher !== undefined,
  }
}

const readBox = (data: Buffer, at: number) => [data.toString('latin1', at + 4, at + 8), data.readUInt32BE(at)] as const
const readDecodeTimeMs = (message: Buffer) => Number(message.readBigUInt64BE(message.indexOf('tfdt') + 8)) / 90

test('the relay sends the initialization segment, then the whole GOP, then each frame as it arrives', () => {
  const { sent, kinds, sendFrame } = openRelay(3)
  expect(kinds()).toEqual([
    RELAY_MESSAGE_TYPES.init,
    RELAY_MESSAGE_TYPES.key,
    RELAY_MESSAGE_TYPES.delta,
    RELAY_MESSAGE_TYPES.delta,
  ])
  sendFrame(1)
  expect(kinds()).toHaveLength(5)
  const init = sent[0] ?? Buffer.alloc(0)
  expect(init.toString('latin1', 2, 2 + (init[1] ?? 0))).toMatch(/^avc1\.42[0-9a-f]{4}$/)
})

test('a fragment is one movie fragment plus its frame, and its index points to the frame', () => {
  const unit = ACCESS_UNITS[1] as AccessUnit
  const data = createVideoFragment(unit, collectParameterSets(ACCESS_UNITS)!, 7, { at: 500, shown: 500, duration: 66 })
  const [first, size] = readBox(data, 0)
  const [second, rest] = readBox(data, size)
  expect([first, second, size + rest]).toEqual(['moof', 'mdat', data.length])
  const run = data.indexOf('trun')
  expect(data.readUInt32BE(run + 12)).toBe(size + 8)
  expect(data.readUInt32BE(size + 8)).toBe(unit.nals[0]?.length)
})

test('a frame without parameter sets cannot start a stream', () => {
  expect(createVideoInitialization(ACCESS_UNITS[1] as AccessUnit)).toBeNull()
})

test.each(['keyframe', 'next picture'] as const)(
  'all frames decode when some reference a second PPS (in the %s)',
  (place) => {
    const units = withSecondPps(ACCESS_UNITS, place).map((picture, i) => ({ ...picture, pts: ACCESS_UNITS[i]!.pts }))
    const { sent, sendFrame } = openRelay(1, '', units)
    sendFrame(45)
    const [begin, ...pictures] = sent
    const stream = [begin!.subarray(2 + begin![1]!), ...pictures.map((message) => message.subarray(1))]
    expect(readPresentationTimes(Buffer.concat(stream))).toHaveLength(46)
  },
)

test('relayed frames keep the time intervals they had at the camera', () => {
  const { sent, sendFrame } = openRelay(1)
  sendFrame(30)
  const times = sent.slice(1).map(readDecodeTimeMs)
  const [first = NaN] = times
  times.forEach((time, i) => expect(Math.abs(time - first - (i * 1000) / 15)).toBeLessThan(0.1))
})

test('a slow connection receives nothing until the first keyframe after its backlog clears', () => {
  const { kinds, sendFrame, connection } = openRelay(1)
  connection.waiting = 2_000_000
  sendFrame(16)
  expect(kinds()).toHaveLength(2)
  connection.waiting = 0
  sendFrame(10)
  expect(kinds()).toHaveLength(2)
  sendFrame(6)
  expect(kinds()[2]).toBe(RELAY_MESSAGE_TYPES.key)
})

test('an extra track is marked in the first byte and otherwise equals the main video', () => {
  const [main, inset] = [openRelay(3), openRelay(3, 'inset')]
  expect(inset.kinds()).toEqual(main.kinds().map((kind) => (kind ?? 0) + EXTRA_TRACK_OFFSETS.inset))
  expect(inset.sent.map((message) => message.subarray(1))).toEqual(main.sent.map((message) => message.subarray(1)))
})

test('a provider that lost the start of the stream gets it again on the same socket', () => {
  const { relay, kinds, sendFrame, connection } = openRelay(2)
  sendFrame(3)
  const before = kinds().length
  relay.start()
  expect(kinds().slice(before)).toEqual([
    RELAY_MESSAGE_TYPES.init,
    RELAY_MESSAGE_TYPES.key,
    ...Array<number>(4).fill(RELAY_MESSAGE_TYPES.delta),
  ])
  expect(connection.closed).toBe(0)
})

test('the relay ends once and unsubscribes from the source when the socket closes or the camera stops', () => {
  const { relay, connection, ends, isWatching } = openRelay(1)
  expect(isWatching()).toBe(true)
  connection.ended()
  relay.end()
  expect([ends(), isWatching()]).toEqual([1, false])
})

test('a provider that requests a relay while the previous socket is closing gets a new socket', () => {
  const sockets: { isOpen: boolean; sent: number }[] = []
  const relays = new CameraRelays({
    deviceId: 'CAM1',
    source: { getRendition: () => ACCESS_UNITS } as unknown as VideoSource,
    openRelay: () => {
      const socket = { isOpen: true, sent: 0, waiting: 0, send: () => (socket.sent += 1), close: () => undefined }
      sockets.push(socket)
      return socket
    },
    getRenditionFrames: () =>
      ({ getGop: () => ACCESS_UNITS.slice(0, 3), watch: () => () => undefined }) as unknown as VideoSource,
    onChange: () => undefined,
  })
  relays.start('')
  relays.start('')
  expect(sockets).toHaveLength(1)
  if (sockets[0]) sockets[0].isOpen = false
  relays.start('')
  expect(sockets.map(({ sent }) => sent > 0)).toEqual([true, true])
  expect(relays.isWatched).toBe(true)
})

test('snapshots on demand are captured one at a time, regardless of the number of requests', async () => {
  const stored = Promise.withResolvers<void>()
  let captureCount = 0
  const source = { getGop: () => ACCESS_UNITS.slice(0, 3) } as unknown as VideoSource
  const snapshots = new SnapshotSource(
    source,
    () => stored.promise,
    (pictures) => {
      captureCount += 1
      return Promise.resolve(Buffer.from(String(pictures.length)))
    },
  )
  const all = Promise.all([snapshots.capture(), snapshots.capture(), snapshots.capture()])
  stored.resolve()
  await all
  await snapshots.capture()
  expect(captureCount).toBe(1)
})

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { RELAY_MESSAGE_TYPES, EXTRA_TRACK_OFFSETS } from '../../../contract/live/relay-protocol.ts'
import { PACKET_MS, type AudioPacket } from '../../../bridge/media/audio/audio-clock.ts'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import { SILENT_PACKET } from '../../../bridge/media/mp4/audio-track.ts'
import { RelayClock } from '../../../bridge/relay/relay-clock.ts'
import type { RelayContext } from '../../../bridge/relay/video-relay.ts'
import { CameraRelays } from '../../../bridge/relay/camera-relays.ts'
import { AudioRelay } from '../../../bridge/relay/audio-relay.ts'
import type { VideoSource } from '../../../bridge/sources/video-source.ts'

const TICKS_PER_PACKET = 960
const START_MS = 5_000_000

function openAudioRelay() {
  const sent: Buffer[] = []
  const connection = { waiting: 0, closed: 0, ended: 0 }
  const watchers = { units: new Set<(unit: AccessUnit) => void>(), packets: new Set<(packet: AudioPacket) => void>() }
  const watch =
    <T>(set: Set<(value: T) => void>) =>
    (watcher: (value: T) => void) => {
      set.add(watcher)
      return () => void set.delete(watcher)
    }
  const source = { watch: watch(watchers.units), watchAudio: watch(watchers.packets) } as unknown as VideoSource
  const relay = new AudioRelay(source, {
    name: 'sound',
    epoch: new RelayClock(),
    ended: () => void (connection.ended += 1),
    open: () => ({
      send: (message) => void sent.push(message),
      get waiting() {
        return connection.waiting
      },
      isOpen: true,
      close: () => void (connection.closed += 1),
    }),
  } satisfies RelayContext)
  return {
    relay,
    sent,
    connection,
    watchers,
    sendFrame: (pts: number) => watchers.units.forEach((watcher) => watcher({ nals: [], keyframe: false, pts })),
    sendPacket: (pts: number, data = Buffer.from([0xf8, 1])) =>
      watchers.packets.forEach((watcher) => watcher({ data, pts })),
    fragments: () =>
      sent.filter((message) => message[0] === RELAY_MESSAGE_TYPES.key + EXTRA_TRACK_OFFSETS.sound).map(parseFragment),
  }
}

/** Parses a fragment. `at`: its start time, in packet durations. */
function parseFragment(message: Buffer): { at: number; packets: Buffer[] } {
  const run = message.indexOf('trun')
  const count = message.readUInt32BE(run + 8)
  let offset = message.readUInt32BE(run + 12) + 1
  const packets = Array.from({ length: count }, (_, i) => {
    const size = message.readUInt32BE(run + 16 + i * 4)
    const packet = message.subarray(offset, offset + size)
    offset += size
    return packet
  })
  expect(offset).toBe(message.length)
  return { at: Number(message.readBigUInt64BE(message.indexOf('tfdt') + 8)) / TICKS_PER_PACKET, packets }
}

/** Returns the packets of all fragments. Checks that each fragment starts where the previous one ended. */
function joinPackets(fragments: readonly ReturnType<typeof parseFragment>[]): Buffer[] {
  fragments.slice(1).forEach(({ at }, i) => {
    const before = fragments[i]
    expect(at).toBe((before?.at ?? 0) + (before?.packets.length ?? 0))
  })
  return fragments.flatMap(({ packets }) => packets)
}

test('the audio relay sends an initialization segment, then packets in fragments without gaps', () => {
  const { sent, sendPacket, fragments } = openAudioRelay()
  for (let n = 0; n < 20; n++) sendPacket(START_MS + n * PACKET_MS, Buffer.from([0xf8, n]))
  expect(sent[0]?.[0]).toBe(RELAY_MESSAGE_TYPES.init + EXTRA_TRACK_OFFSETS.sound)
  expect(sent[0]?.toString('latin1', 2, 6)).toBe('opus')
  expect(joinPackets(fragments()).map((packet) => packet[1])).toEqual(Array.from({ length: 20 }, (_, n) => n))
})

test('the audio relay fills missing packets with silence and drops packets that arrive too late', () => {
  const { sendPacket, fragments } = openAudioRelay()
  for (const at of [0, 1, 4, 2, 5, 6, 7, 8, 9]) sendPacket(START_MS + at * PACKET_MS)
  const packets = joinPackets(fragments())
  expect(packets).toHaveLength(10)
  expect(packets.map((packet) => packet.equals(SILENT_PACKET))).toEqual([0, 0, 1, 1, 0, 0, 0, 0, 0, 0].map(Boolean))
})

test('the audio relay sends silence alongside the video while audio is missing, then resumes the audio', () => {
  const { sendPacket, sendFrame, fragments } = openAudioRelay()
  for (let n = 0; n < 5; n++) sendPacket(START_MS + n * PACKET_MS)
  for (let n = 0; n < 60; n++) sendFrame(START_MS + (n * 1000) / 15)
  const quiet = joinPackets(fragments()).length
  expect(quiet).toBeGreaterThan(160)
  for (let n = 200; n < 210; n++) sendPacket(START_MS + n * PACKET_MS)
  const packets = joinPackets(fragments())
  expect(packets).toHaveLength(210)
  expect(packets.slice(200).some((packet) => packet.equals(SILENT_PACKET))).toBe(false)
})

test('a connection that is too slow gets no audio, then resumes at the right time', () => {
  const { sendPacket, fragments, connection } = openAudioRelay()
  for (let n = 0; n < 5; n++) sendPacket(START_MS + n * PACKET_MS)
  connection.waiting = 2_000_000
  for (let n = 5; n < 25; n++) sendPacket(START_MS + n * PACKET_MS)
  connection.waiting = 0
  for (let n = 25; n < 30; n++) sendPacket(START_MS + n * PACKET_MS)
  const [first, second, ...more] = fragments()
  expect(more).toEqual([])
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(25)
})

test('the audio relay ends once and releases its source', () => {
  const { relay, connection, watchers } = openAudioRelay()
  relay.end()
  relay.end()
  expect([connection.closed, connection.ended, watchers.units.size, watchers.packets.size]).toEqual([1, 1, 0, 0])
})

test('a player reads the initialization segment and the fragments as one Opus track', () => {
  const { sendPacket, sent } = openAudioRelay()
  for (let n = 0; n < 50; n++) sendPacket(START_MS + n * PACKET_MS, SILENT_PACKET)
  const [init, ...fragments] = sent
  const file = Buffer.concat([
    init?.subarray(6) ?? Buffer.alloc(0),
    ...fragments.map((fragment) => fragment.subarray(1)),
  ])
  const args = ['-v', 'error', '-show_entries', 'stream=codec_name,sample_rate,channels:packet=pts_time']
  const { stdout, stderr } = spawnSync('ffprobe', [...args, '-of', 'csv=p=0', '-'], { input: file, encoding: 'utf8' })
  expect(stderr).toBe('')
  const lines = stdout.trim().split('\n')
  expect(lines).toContain('opus,48000,1')
  expect(lines.filter((line) => /^[\d.]+,?$/.test(line))).toHaveLength(50)
})

test('a camera without audio or an inset opens no relay connection for them', () => {
  const opened: string[] = []
  const relays = new CameraRelays({
    deviceId: 'CAM1',
    source: { watch: () => () => undefined } as unknown as VideoSource,
    openRelay: (_device, name) => {
      opened.push(name)
      return { send: () => undefined, waiting: 0, isOpen: true, close: () => undefined }
    },
    getRenditionFrames: () => ({ getGop: () => [], watch: () => () => undefined }),
    onChange: () => undefined,
  })
  for (const name of ['', 'inset', 'sound']) relays.start(name)
  expect(opened).toEqual([''])
})

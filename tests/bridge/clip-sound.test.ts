import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OggReader } from '../../bridge/audio/ogg.ts'
import type { AccessUnit } from '../../bridge/h264/annex-b.ts'
import { muxTimed } from '../../bridge/mp4/muxer.ts'
import { evenSound } from '../../bridge/mp4/sound.ts'
import { Journal, readJournal } from '../../bridge/recording/journal.ts'
import { atEnd } from '../support/watched-camera.ts'
import { PICTURES } from './streams.ts'

const START = 1_795_181_460_000
const FRAME = 1000 / 15

function tone(seconds: number): Buffer[] {
  const source = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`, '-af', 'volume=8']
  const codec = ['-c:a', 'libopus', '-ac', '1', '-ar', '48000', '-frame_duration', '20', '-f', 'ogg', 'pipe:1']
  return new OggReader().push(spawnSync('ffmpeg', ['-loglevel', 'error', ...source, ...codec]).stdout)
}

/** Four seconds of pictures; sound in all but the third second, which is away. */
function recorded(): AccessUnit[] {
  const packets = tone(4).slice(0, 200)
  const sound = packets.flatMap((data, i) => (i >= 100 && i < 150 ? [] : [{ data, pts: START + i * 20 }]))
  return PICTURES.slice(0, 60).map((picture, i) => {
    const [from, to] = [START + i * FRAME, START + (i + 1) * FRAME]
    return { ...picture, pts: from, sound: sound.filter(({ pts }) => pts >= from && pts < to) }
  })
}

async function fileOf(units: readonly AccessUnit[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clip-sound-'))
  atEnd(() => rm(folder, { recursive: true }))
  const file = join(folder, 'clip.mp4')
  await writeFile(file, Buffer.concat(muxTimed(units).parts))
  return file
}

const decoded = (file: string, args: readonly string[]) =>
  spawnSync('ffmpeg', ['-v', 'warning', '-i', file, ...args, '-'], { maxBuffer: 1 << 26 })

test('a clip with sound plays in both, and is heard when it was heard', async () => {
  const file = await fileOf(recorded())
  const asked = [
    '-v',
    'error',
    '-count_packets',
    '-show_entries',
    'stream=codec_name,channels,nb_read_packets,duration',
  ]
  const { stdout } = spawnSync('ffprobe', [...asked, '-of', 'json', file], { encoding: 'utf8' })
  const { streams } = JSON.parse(stdout) as { streams: Record<string, unknown>[] }
  expect(streams).toMatchObject([
    { codec_name: 'h264', nb_read_packets: '60' },
    { codec_name: 'opus', channels: 1, nb_read_packets: '200', duration: '4.000000' },
  ])
  const pictures = decoded(file, ['-map', '0:v', '-f', 'framemd5'])
  expect(String(pictures.stderr)).toBe('')
  const samples = decoded(file, ['-map', '0:a', '-ar', '8000', '-f', 's16le'])
  expect(String(samples.stderr)).toBe('')
  const loudness = [0, 1, 2, 3].map((second) => {
    const part = samples.stdout.subarray((second * 8000 + 2000) * 2, (second * 8000 + 6000) * 2)
    let sum = 0
    for (let at = 0; at + 1 < part.length; at += 2) sum += Math.abs(part.readInt16LE(at))
    return sum / (part.length / 2)
  })
  expect(loudness.map((one) => one > 500)).toEqual([true, true, false, true])
})

test('pictures and their sound lie together in the file, a second at a time', async () => {
  const file = await readFile(await fileOf(recorded()))
  const at = [...'stco'].length + file.indexOf('stco')
  const second = file.indexOf('stco', at)
  const offsets = (from: number) =>
    Array.from({ length: file.readUInt32BE(from + 4) }, (_, i) => file.readUInt32BE(from + 8 + i * 4))
  const [pictures, sound] = [offsets(at), offsets(second + 4)]
  expect([pictures.length, sound.length]).toEqual([4, 4])
  expect([...pictures, ...sound].toSorted((a, b) => a - b)).toEqual(pictures.flatMap((one, i) => [one, sound[i]]))
})

test('without sound a clip has one track', async () => {
  const file = await readFile(await fileOf(recorded().map(({ sound: _, ...unit }) => unit)))
  expect([file.includes('soun'), file.includes('Opus')]).toEqual([false, false])
})

test('sound from before the clip, from after it and for the same moment is left out', () => {
  const packet = (word: string, pts: number) => ({ data: Buffer.from(word), pts })
  const packets = [packet('before', -20), packet('a', 1), packet('b', 21), packet('c', 19), packet('after', 60)]
  expect(evenSound(packets, 0, 65).map(String).slice(0, 2)).toEqual(['a', 'c'])
  expect(evenSound(packets, 0, 65)).toHaveLength(3)
  expect(evenSound([], 0, 65)).toEqual([])
})

test('a recording on disk keeps the sound with its pictures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'))
  atEnd(() => rm(folder, { recursive: true }))
  const journal = await Journal.open(join(folder, 'a.part'), { event_id: 'RC1-a', device_id: 'RC1', begin: START })
  const units = recorded()
  for (const unit of units) journal.add(unit)
  await journal.close()
  expect((await readJournal(journal.path))?.units).toEqual(units)
})

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getNalType, NAL_TYPE, splitFrames, type EncodedFrame } from '../../bridge/media/h264/annex-b.ts'
import { SceneLibrary } from '../../bridge/virtual/scene-library.ts'

const SCENES_FOLDER = fileURLToPath(new URL('../../scenes/', import.meta.url))
export const sceneLibrary = await SceneLibrary.open(SCENES_FOLDER)

export const DRIVEWAY_ACTION = sceneLibrary.getAction(
  'driveway',
  'day',
  sceneLibrary.getScene('driveway').lights.day.actions[0]?.id ?? '',
)
export const ACTION_STREAM = readFileSync(`${SCENES_FOLDER}${DRIVEWAY_ACTION.files['360'] ?? ''}`)
export const ACTION_PICTURES = splitFrames(ACTION_STREAM)

/** Joins NAL units to an Annex B byte stream. */
export function joinAnnexB(nals: readonly Buffer[], startCode = [0, 0, 0, 1]): Buffer {
  return Buffer.concat(nals.flatMap((nal) => [Buffer.from(startCode), nal]))
}

/**
 * Returns four seconds of a moving test pattern with a keyframe each second. `parameters`: additional x264 parameters,
 * such as `bframes=3`.
 */
export function encodeTestPattern(parameters: string): EncodedFrame[] {
  return splitFrames(encodeTestPatternStream(parameters))
}

/** Returns the test pattern of `encodeTestPattern` as an Annex B byte stream. */
export function encodeTestPatternStream(parameters: string): Buffer {
  const input = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=15:duration=4', '-c:v', 'libx264']
  const settings = ['-preset', 'veryfast', '-x264-params', `keyint=15:scenecut=0:b-adapt=0:${parameters}`]
  return spawnSync('ffmpeg', ['-v', 'error', ...input, ...settings, '-f', 'h264', 'pipe:1']).stdout
}

/** Returns the presentation times of a file's frames in seconds, in decoder output order. */
export function readPresentationTimes(file: Buffer): number[] {
  const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0', 'pipe:0']
  const { stdout } = spawnSync('ffprobe', args, { input: file, encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [Number.parseFloat(line)]))
}

/** Returns the bits between the header and the stop bit of a NAL unit, without emulation prevention bytes. */
function readBits(nal: Buffer): string {
  const payload = nal
    .subarray(1)
    .toString('hex')
    .replaceAll(/((?:..)*?)000003/g, '$10000')
  const bits = [...Buffer.from(payload, 'hex')].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.slice(0, bits.lastIndexOf('1'))
}

function encodeNal(header: number, bits: string): Buffer {
  const whole = `${bits}1`.padEnd(Math.ceil((bits.length + 1) / 8) * 8, '0')
  const out = [header]
  let zeros = 0
  for (const byte of whole.match(/.{8}/g)!.map((octet) => Number.parseInt(octet, 2))) {
    if (zeros >= 2 && byte <= 3) {
      out.push(3)
      zeros = 0
    }
    out.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Buffer.from(out)
}

/**
 * Returns copies of the frames in which all frames except keyframes refer to a second PPS with id 1. `place` decides
 * whether each keyframe or the frame after it contains the second PPS. The input must use CAVLC, and its parameter sets
 * must have id 0.
 */
export function withSecondPps(
  pictures: readonly EncodedFrame[],
  position: 'keyframe' | 'next picture',
): EncodedFrame[] {
  const pps = pictures[0]!.nals.find((nal) => getNalType(nal) === NAL_TYPE.pps)!
  // Exp-Golomb code: ue(0) is `1` and ue(1) is `010`. A slice header has two other numbers before its PPS id.
  const second = encodeNal(pps[0]!, `010${readBits(pps).slice(1)}`)
  const setSecondPps = (slice: Buffer) =>
    encodeNal(slice[0]!, readBits(slice).replace(/^((?:(?:1|01.|001..|0001...)){2})1/, '$1010'))
  return pictures.map(({ nals, keyframe }, i) => {
    const rewrittenNals = nals.map((nal) => (getNalType(nal) === NAL_TYPE.slice ? setSecondPps(nal) : nal))
    const containsSecondPps = position === 'keyframe' ? keyframe : pictures[i - 1]?.keyframe
    const insertIndex = keyframe ? rewrittenNals.findLastIndex((nal) => getNalType(nal) === NAL_TYPE.pps) + 1 : 0
    return { keyframe, nals: containsSecondPps ? rewrittenNals.toSpliced(insertIndex, 0, second) : rewrittenNals }
  })
}

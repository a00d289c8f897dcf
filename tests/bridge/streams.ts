import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { splitPictures, type Picture } from '../../bridge/h264/annex-b.ts'
import { SceneLibrary } from '../../bridge/virtual/scene-library.ts'

/** The rendered scenes of the repository. */
const SCENES = fileURLToPath(new URL('../../scenes/', import.meta.url))
export const library = await SceneLibrary.open(SCENES)

/** An action of the driveway, as the file holds it. */
export const ACTION = library.action('driveway', 'day', library.scene('driveway').lights.day.actions[0]?.id ?? '')
export const STREAM = readFileSync(`${SCENES}${ACTION.files['360'] ?? ''}`)
export const PICTURES = splitPictures(STREAM)

/** Annex-B bytes of NAL units. */
export function annexB(nals: readonly Buffer[], startCode = [0, 0, 0, 1]): Buffer {
  return Buffer.concat(nals.flatMap((nal) => [Buffer.from(startCode), nal]))
}

/** Four seconds of a moving test picture with a keyframe each second, encoded with B-frames or what else x264 is told. */
export function encode(parameters: string): Picture[] {
  return splitPictures(encodeStream(parameters))
}

/** The same as an Annex-B stream. */
export function encodeStream(parameters: string): Buffer {
  const input = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=15:duration=4', '-c:v', 'libx264']
  const settings = ['-preset', 'veryfast', '-x264-params', `keyint=15:scenecut=0:b-adapt=0:${parameters}`]
  return spawnSync('ffmpeg', ['-v', 'error', ...input, ...settings, '-f', 'h264', 'pipe:1']).stdout
}

/** The times at which a player shows the pictures of a file, in the order in which its decoder gives them, s. */
export function shownTimes(file: Buffer): number[] {
  const asked = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0', 'pipe:0']
  const { stdout } = spawnSync('ffprobe', asked, { input: file, encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [Number.parseFloat(line)]))
}

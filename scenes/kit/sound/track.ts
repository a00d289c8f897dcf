import { once } from 'node:events'
import { spawn } from 'node:child_process'
import type { SoundInterval, TimeOfDay } from '../../manifest.ts'
import { mixInto, SAMPLE_RATE_HZ, type AudioSamples } from './signal.ts'

/** Sound within an action. `kind`: sound type that the camera detects; '' if it detects none. */
export interface ActionSound {
  kind: string
  /** Seconds from the start of the segment. */
  at: number
  gain: number
  sound: AudioSamples
}
export interface Soundscape {
  /** Background audio, a 20 s loop. */
  background: (timeOfDay: TimeOfDay) => AudioSamples
  /** Sounds by action; other actions have background audio only. */
  actionSounds: Record<string, () => ActionSound[]>
}

/** Mixes the audio of a segment: the background loop, and the sounds of the action. */
export function mixTrack(background: AudioSamples, seconds: number, sounds: readonly ActionSound[]): AudioSamples {
  const out = new Float32Array(seconds * SAMPLE_RATE_HZ).map((_, i) => background[i % background.length]!)
  for (const { sound, at, gain } of sounds) mixInto(out, sound, at, gain)
  return out.map((x) => Math.tanh(x))
}

/**
 * Returns the intervals of detected sounds, in seconds of the segment. Merges sounds of one kind that are less than a
 * second apart.
 */
export function listSoundIntervals(sounds: readonly ActionSound[]): SoundInterval[] {
  const out: SoundInterval[] = []
  for (const { kind, at, sound } of sounds.filter((call) => call.kind !== '').sort((a, b) => a.at - b.at)) {
    const from = Math.round(at * 100) / 100,
      to = Math.round((at + sound.length / SAMPLE_RATE_HZ) * 100) / 100,
      last = out.at(-1)
    if (last?.kind === kind && from - last.to < 1) last.to = to
    else out.push({ kind, from, to })
  }
  return out
}

/** Writes audio as Opus in Ogg, 20 ms per packet. */
export async function writeOpus(track: AudioSamples, path: string): Promise<void> {
  const options = [
    '-f',
    'f32le',
    '-ar',
    String(SAMPLE_RATE_HZ),
    '-ac',
    '1',
    '-i',
    '-',
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
  ]
  const opus = ['-c:a', 'libopus', '-b:a', '13k', '-application', 'audio', '-frame_duration', '20', '-f', 'ogg', path]
  const p = spawn('ffmpeg', ['-v', 'error', '-y', ...options, ...opus], { stdio: ['pipe', 'inherit', 'inherit'] })
  const done = once(p, 'close')
  p.stdin.end(Buffer.from(track.buffer))
  const [code] = await done
  if (code !== 0) throw new Error(`ffmpeg ended with ${String(code)} for ${path}`)
}

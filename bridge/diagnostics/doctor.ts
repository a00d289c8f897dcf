import { isReadableByOthers, readCameras } from '../cameras/camera-file.ts'
import { fetchCameraTime } from '../discovery/onvif.ts'
import { probeRtsp, formatProbeFailure } from '../sources/rtsp-probe.ts'
import { probeStream, type ProbedStream } from './stream-probe.ts'
import { maskCredentials } from '../runtime/log.ts'
import { parseRtspUrl } from '../sources/rtsp-address.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

const MAX_KEYFRAME_INTERVAL_MS = 2200
const MAX_CLOCK_ERROR_MS = 60_000

export const NO_CAMERAS_TEXT = 'No cameras yet. To add one, run: porchlight camera add ADDRESS'

interface NamedStream {
  readonly name: string
  readonly url: string
}

/**
 * Tests the stream at `url` or, if `url` is undefined, all streams of `DATA/cameras.json`. Prints findings and
 * remedies. Returns false if an address is invalid or a stream delivers no video.
 */
export async function diagnoseCameras(
  url: string | undefined,
  data: string | undefined,
  print: (line: string) => void,
): Promise<boolean> {
  const streams = url === undefined ? await listStreams(data ?? '') : [{ name: maskCredentials(url), url }]
  if (streams.length === 0) print(NO_CAMERAS_TEXT)
  if (data !== undefined && (await isReadableByOthers(data)))
    print(
      `Other users of this computer can read the passwords in cameras.json. To protect them, run: chmod 600 ${data}/cameras.json`,
    )
  let areAllWorking = true
  for (const stream of streams) {
    const { wrong, lines } = await diagnoseAddress(stream.url)
    areAllWorking &&= !wrong
    print(`${stream.name}: ${wrong ? 'no video' : 'OK'}`)
    for (const line of lines) print(`  ${line}`)
  }
  return areAllWorking
}

async function listStreams(data: string): Promise<NamedStream[]> {
  const { cameras } = await readCameras(data)
  return cameras.flatMap(({ name, url, sub }) => [
    { name, url },
    ...(sub === undefined ? [] : [{ name: `${name}, sub-stream`, url: sub }]),
  ])
}

/** Returns the findings for one address; `wrong` is true if the address is invalid or delivers no video. */
export async function diagnoseAddress(address: string): Promise<{ wrong: boolean; lines: string[] }> {
  let url: URL
  try {
    url = parseRtspUrl(address)
  } catch (error) {
    return { wrong: true, lines: [(error as Error).message] }
  }
  const probe = await probeRtsp(url)
  if (probe.shut) return { wrong: true, lines: [formatProbeFailure(probe.shut, url)] }
  const stream = await probeStream(address)
  if ('wrong' in stream) return { wrong: true, lines: [stream.wrong] }
  const clock = probe.clock ?? (await fetchCameraTime(url.hostname))
  return { wrong: false, lines: [...formatFindings(stream), ...formatClockFinding(clock, Date.now())] }
}

export function formatFindings({ width, height, fps, kbits, keyframeMs, ...stream }: ProbedStream): string[] {
  const { transcoded, udp, reordered, sound } = stream
  const codec = transcoded ? 'H.265' : 'H.264'
  const lines = [
    `Sends ${codec}, ${width}x${height}, ${Math.round(fps)} fps, ${Math.round(kbits)} kbit/s, ${sound === 'heard' ? 'with' : 'without'} sound.`,
  ]
  if (sound === 'broken') lines.push("The sound can't be decoded. Choose AAC or G.711 in the camera's settings.")
  if (udp)
    lines.push(
      'The camera sends video only over UDP. Lost packets can distort the video, especially on Wi-Fi. If possible, set RTSP to use TCP.',
    )
  if (transcoded) {
    lines.push(
      "The hub must convert H.265 to H.264, which uses a lot of CPU. Choose H.264 in the camera's settings if you can.",
    )
    return lines
  }
  if (reordered) {
    lines.push(
      "The stream has B-frames, so the hub re-encodes live video, which uses CPU and adds a delay. Turn off B-frames in the camera's settings, or choose the Baseline profile.",
    )
  }
  if (keyframeMs === undefined) {
    lines.push(
      "No second keyframe arrived within 15 seconds. Set the camera's keyframe (I-frame) interval to 1 second.",
    )
  } else if (keyframeMs > MAX_KEYFRAME_INTERVAL_MS) {
    const seconds = (keyframeMs / 1000).toFixed(1)
    lines.push(
      `Keyframes arrive every ${seconds} seconds. Set the keyframe (I-frame) interval to 1 second so that video starts sooner.`,
    )
  }
  if (width * height > 1280 * 720)
    lines.push('Add the sub-stream too (--sub) for better motion detection and smoother video on slow connections.')
  return lines
}

/**
 * Returns a list with one finding if the camera's clock is off by a minute or more, otherwise an empty list. `clock`:
 * time that the camera reports; `now`: ms UTC.
 */
export function formatClockFinding(clock: Date | undefined, now: number): string[] {
  const errorMs = clock === undefined ? 0 : Math.abs(clock.getTime() - now)
  if (errorMs < MAX_CLOCK_ERROR_MS) return []
  const minutes = Math.round(errorMs / 60_000)
  const minutesText = minutes === 1 ? 'a minute' : `${minutes} minutes`
  const errorText = errorMs < 7_200_000 ? minutesText : `${Math.round(errorMs / HOUR_MS)} hours`
  return [`The camera's clock is off by ${errorText}, so the time in its video is wrong. Turn on NTP or set the time.`]
}

import type { OnvifStream } from '../discovery/onvif.ts'

/** Width from which an H.264 stream is sharp enough to be preferred to a wider H.265 stream, which costs CPU time. */
const SHARP_WIDTH = 1280
/** Minimum width of a sub-stream in which motion detection sees people. */
const SUB_WIDTH_MIN = 320

const isH265 = ({ encoding }: OnvifStream) => encoding === 'H265'

/**
 * Chooses main stream and sub-stream from the streams of a camera, widest first. The sub-stream is the narrowest H.264
 * stream of the same lens. Returns undefined if the camera lists no stream.
 */
export function chooseStreams(
  streams: readonly OnvifStream[],
): { main: OnvifStream; sub: OnvifStream | undefined } | undefined {
  const main = streams.find((stream) => !isH265(stream) && stream.width >= SHARP_WIDTH) ?? streams[0]
  if (!main) return undefined
  const narrower = streams.filter(
    (stream) =>
      stream.source === main.source && stream.width < main.width && stream.uri !== main.uri && !isH265(stream),
  )
  return { main, sub: narrower.findLast(({ width }) => width >= SUB_WIDTH_MIN) ?? narrower.at(-1) }
}

/**
 * Chooses the streams of each lens or channel of a device, in the order of their tokens. Returns an empty list if the
 * device has only one.
 */
export function chooseChannels(streams: readonly OnvifStream[]): NonNullable<ReturnType<typeof chooseStreams>>[] {
  const bySource = Map.groupBy(streams, ({ source }) => source)
  if (bySource.size < 2) return []
  const sources = [...bySource.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return sources.flatMap((source) => chooseStreams(bySource.get(source) ?? []) ?? [])
}

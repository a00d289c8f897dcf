/**
 * Maximum bytes that the bridge reads from each kind of source. It truncates a longer SOAP response, and rejects any
 * other input that is longer.
 */
export const READ_BYTES_MAX = {
  soap: 64 * 1024,
  datagram: 16 * 1024,
  /** Response of the provider to a call, or of the storage to an upload. */
  answer: 1024 * 1024,
  /** Provider message on the control socket; the longest is a welcome with all homes. */
  message: 4 * 1024 * 1024,
  /** Settings or key file in the data folder, or a camera list on standard input. */
  settings: 4 * 1024 * 1024,
  /** Clip, thumbnail or journal of a recording in the data folder, or a file of a rendered scene. */
  recording: 256 * 1024 * 1024,
  /** One compressed video frame. */
  picture: 8 * 1024 * 1024,
  /** JPEG made by ffmpeg, at most 640 pixels wide. */
  jpeg: 4 * 1024 * 1024,
} as const

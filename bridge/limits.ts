/** Maximum bytes that the bridge reads, by kind of source. It rejects anything longer. */
export const READ_BYTES_MAX = {
  soap: 64 * 1024,
  datagram: 16 * 1024,
  /** Response of the provider to a call, or of the storage to an upload. */
  answer: 1024 * 1024,
  /** Provider message on the control socket; the longest is a welcome with all homes. */
  message: 4 * 1024 * 1024,
  /** Settings or key file in the data folder, or a camera list on standard input. */
  settings: 4 * 1024 * 1024,
  /** Recording in the data folder, or a rendered scene: several times the longest clip. */
  recording: 256 * 1024 * 1024,
  /** One video frame: several times the largest keyframe. */
  picture: 8 * 1024 * 1024,
  /** JPEG made by ffmpeg, at most 640 pixels wide. */
  jpeg: 4 * 1024 * 1024,
} as const

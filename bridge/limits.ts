/** Bytes that the bridge reads at most, by the kind of source. It refuses anything longer. */
export const READ_MAX = {
  /** An answer of a device to a SOAP call. */
  soap: 64 * 1024,
  /** A datagram that answers a probe. */
  datagram: 16 * 1024,
  /** An answer of the provider to a call, or of the storage to an upload. */
  answer: 1024 * 1024,
  /** A message of the provider on the control socket: the longest is a welcome with all homes. */
  message: 4 * 1024 * 1024,
  /** A file of settings or keys in the data folder, or a list of cameras on standard input. */
  settings: 4 * 1024 * 1024,
  /** A recording in the data folder, or a rendered scene: several times the longest clip. */
  recording: 256 * 1024 * 1024,
  /** A picture of a camera: several times the largest keyframe. */
  picture: 8 * 1024 * 1024,
  /** A JPEG that ffmpeg makes, at most 640 pixels wide. */
  jpeg: 4 * 1024 * 1024,
} as const

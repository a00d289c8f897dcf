/** Main stream and sub-stream as path with query; null if the camera has no sub-stream. */
export interface StreamPaths {
  readonly main: string
  readonly sub: string | null
}

/**
 * Camera brand. docs/cameras.md (the guide page), the add-camera form and the hub's stream search use this table.
 */
export interface CameraBrand {
  readonly id: string
  readonly name: string
  /** Usual paths; empty if each camera has its own path. */
  readonly streams: readonly StreamPaths[]
  /** RTSP port; undefined: 554. */
  readonly rtspPort?: number
  /** ONVIF port; undefined: 80. */
  readonly onvifPort?: number
  /** Menu items that lead to the RTSP setting. */
  readonly menu: readonly string[]
  /** Sentence about the camera's login. */
  readonly login: string
  /** Setting or limit that prevents video on this brand's cameras; '' if there is none. */
  readonly warning: string
}

const DEFAULT_LOGIN = 'A viewer account works. The app password usually doesn’t.'

export const CAMERA_BRANDS: readonly CameraBrand[] = [
  {
    id: 'reolink',
    name: 'Reolink',
    streams: [
      { main: '/Preview_01_main', sub: '/Preview_01_sub' },
      { main: '/h264Preview_01_main', sub: '/h264Preview_01_sub' },
    ],
    onvifPort: 8000,
    menu: ['Settings', 'Network', 'Advanced', 'Server settings', 'RTSP'],
    login: DEFAULT_LOGIN,
    warning: 'Battery models don’t support RTSP.',
  },
  {
    id: 'tapo',
    name: 'TP-Link Tapo',
    streams: [{ main: '/stream1', sub: '/stream2' }],
    onvifPort: 2020,
    menu: ['Camera settings', 'Advanced', 'Camera account'],
    login: 'Use the camera account login, not the app login.',
    warning: '',
  },
  {
    id: 'hikvision',
    name: 'Hikvision',
    streams: [{ main: '/Streaming/Channels/101', sub: '/Streaming/Channels/102' }],
    menu: ['Configuration', 'Network', 'Advanced', 'Integration protocol'],
    login: 'Use an account with live view permission. ONVIF accounts are separate.',
    warning: 'Turn off H.264+.',
  },
  {
    id: 'dahua',
    name: 'Dahua',
    streams: [{ main: '/cam/realmonitor?channel=1&subtype=0', sub: '/cam/realmonitor?channel=1&subtype=1' }],
    menu: ['Setup', 'Network', 'Port', 'RTSP'],
    login: DEFAULT_LOGIN,
    warning: 'Turn off Smart Codec.',
  },
  {
    id: 'amcrest',
    name: 'Amcrest',
    streams: [{ main: '/cam/realmonitor?channel=1&subtype=0', sub: '/cam/realmonitor?channel=1&subtype=1' }],
    menu: ['Setup', 'Network', 'Port', 'RTSP'],
    login: DEFAULT_LOGIN,
    warning: 'Turn off Smart Codec.',
  },
  {
    id: 'axis',
    name: 'Axis',
    streams: [
      {
        main: '/axis-media/media.amp?videocodec=h264',
        sub: '/axis-media/media.amp?videocodec=h264&resolution=640x360',
      },
    ],
    menu: ['System', 'Accounts'],
    login: 'Use an account with the Viewer role.',
    warning: '',
  },
  {
    id: 'unifi',
    name: 'UniFi Protect',
    streams: [],
    rtspPort: 7447,
    menu: ['UniFi devices', 'Camera', 'Settings', 'RTSP'],
    login: 'Copy the ID from the stream’s address in the app. Then enter rtsp://CONSOLE-IP:7447/ID.',
    warning: 'Each camera has its own path.',
  },
  {
    id: 'foscam',
    name: 'Foscam',
    streams: [{ main: '/videoMain', sub: '/videoSub' }],
    rtspPort: 88,
    onvifPort: 888,
    menu: ['Settings', 'Network', 'Port'],
    login: 'Use the camera’s username and password.',
    warning: '',
  },
  {
    id: 'wyze',
    name: 'Wyze',
    streams: [{ main: '/live', sub: null }],
    menu: ['Settings', 'Advanced settings', 'RTSP'],
    login: 'Set the username and password on the same page.',
    warning: 'RTSP requires Wyze’s RTSP firmware for Cam v2 or v3.',
  },
]

/** Paths that the hub tries if the brand is unknown or its own paths do not work. */
const COMMON_BRANDS = ['tapo', 'reolink', 'hikvision', 'dahua', 'wyze']

/** Maximum number of main streams that one search tries, because cameras lock after a few wrong attempts. */
export const SEARCHED_PATHS_MAX = 5

export const findCameraBrand = (brandId: string): CameraBrand | undefined =>
  CAMERA_BRANDS.find(({ id }) => id === brandId)

/** Returns the paths of a search: those of the brand first, at most `SEARCHED_PATHS_MAX`. */
export function listSearchPaths(brandId: string): StreamPaths[] {
  const common = COMMON_BRANDS.flatMap((id) => findCameraBrand(id)?.streams.slice(0, 1) ?? [])
  const all = [...(findCameraBrand(brandId)?.streams ?? []), ...common]
  return [...new Map(all.map((paths) => [paths.main, paths])).values()].slice(0, SEARCHED_PATHS_MAX)
}

const BRAND_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/reolink/i, 'reolink'],
  [/tapo|tp-?link/i, 'tapo'],
  [/hikvision/i, 'hikvision'],
  [/dahua/i, 'dahua'],
  [/amcrest/i, 'amcrest'],
  [/\baxis\b/i, 'axis'],
  [/unifi|ubiquiti/i, 'unifi'],
  [/foscam/i, 'foscam'],
  [/wyze/i, 'wyze'],
]

/** Returns the id of the brand that a camera's own description names; '' if it names none. */
export const detectBrand = (description: string): string =>
  BRAND_PATTERNS.find(([pattern]) => pattern.test(description))?.[1] ?? ''

import { getRegionalFormats } from '../time/regional-formats.ts'

let numberFormat: Intl.NumberFormat | undefined

/** Formats a number with thousands separators: `720`, `2,161`. Creating the format takes longer than all its uses. */
export const formatNumber = (count: number): string => (numberFormat ??= new Intl.NumberFormat('en-US')).format(count)

/** Formats whole percent in the region of the browser or the setting in Account: `20%` in the US, `20 %` in Germany. */
export const formatPercent = (percent: number): string =>
  (percent / 100).toLocaleString(getRegionalFormats().region, {
    style: 'percent',
    maximumFractionDigits: 0,
    numberingSystem: 'latn',
  })

/** Formats a number of things: `1 clip`, `2,161 clips`. `plural` is needed only if it is not `singular` with an "s". */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`

/** Formats a number of clips: `1 clip`, `2,161 clips`. */
export const formatClipCount = (count: number): string => formatCount(count, 'clip')

/** Formats a number of cameras: `1 camera`, `3 cameras`. */
export const formatCameraCount = (count: number): string => formatCount(count, 'camera')

/** Formats a number of days: `1 day`, `30 days`. */
export const formatDayCount = (count: number): string => formatCount(count, 'day')

/** Formats a size in bytes with decimal units: `38 kB`, `96 MB`, `3.4 GB`. Rounds kB up, so that no file has 0 kB. */
export function formatBytes(bytes: number): string {
  if (bytes <= 999e3) return `${Math.ceil(bytes / 1e3)} kB`
  if (bytes < 999.5e6) return `${Math.round(bytes / 1e6)} MB`
  return `${(bytes / 1e9).toFixed(1)} GB`
}

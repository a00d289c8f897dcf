import type { RegionalFormats } from './regional-formats.ts'

/**
 * Returns the ISO number of a region's first weekday: 1 (Monday) to 7 (Sunday). Browsers without `getWeekInfo` have the
 * older property `weekInfo`, or neither.
 */
export function getFirstWeekday({ region, isMonthFirst }: RegionalFormats): number {
  const info = new Intl.Locale(region) as {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (info.getWeekInfo?.() ?? info.weekInfo)?.firstDay ?? (isMonthFirst ? 7 : 1)
}

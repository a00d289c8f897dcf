import { persistentText } from '../storage/persistent-atoms.ts'
import { STORAGE_KEYS } from '../storage/storage-keys.ts'

/** Formats that the owner can choose instead of the browser's: locales (BCP 47). */
export const FORMAT_LOCALES = ['en-US', 'en-AU', 'en-GB', 'en-US-u-hc-h23'] as const

/** Locale whose date and time formats this browser uses; empty for the browser's own locale. */
export const $formatLocale = persistentText(
  STORAGE_KEYS.formats,
  '',
  (value) => value === '' || FORMAT_LOCALES.some((locale) => locale === value),
)

/** Stores the choice and applies it to the open page; components that use `$formatLocale` render again. */
export function setFormatLocale(locale: string): void {
  document.documentElement.dataset['formats'] = locale
  $formatLocale.set(locale)
}

import { tab, TAB_KEYS } from '../../stores/storage/safe-storage.ts'

/** Leaves a sentence for the next page to show as a toast. */
export function toastOnNextPage(style: 'success' | 'error' | 'warning', text: string): void {
  tab.write(TAB_KEYS.nextToast, `${style} ${text}`)
}

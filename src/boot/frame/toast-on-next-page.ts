import { safeSessionStorage, TAB_KEYS } from '../../stores/storage/safe-storage.ts'

export function toastOnNextPage(style: 'success' | 'error' | 'warning', text: string): void {
  safeSessionStorage.write(TAB_KEYS.nextToast, `${style} ${text}`)
}

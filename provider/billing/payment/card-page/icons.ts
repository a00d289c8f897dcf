import { raw } from 'hono/html'

const icon = (path: string) =>
  raw(
    `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`,
  )
export const LOCK_ICON = icon(
  '<rect x="4" y="11" width="16" height="10" rx="2.5"/><path d="M8 11V7.5a4 4 0 0 1 8 0V11"/>',
)
export const CHEVRON_LEFT_ICON = icon('<path d="m15 6-6 6 6 6"/>')
export const CHEVRON_DOWN_ICON = icon('<path d="m6 9 6 6 6-6"/>')
export const ALERT_ICON = icon('<circle cx="12" cy="12" r="9"/><path d="M12 8v4.5M12 16h.01"/>')
export const SHIELD_ICON = icon(
  '<path d="M12 3 5 5.5v6c0 4.5 3 7.5 7 9.5 4-2 7-5 7-9.5v-6z"/><path d="m9 12 2 2 4-4"/>',
)
export const MONEY_ICON = icon(
  '<circle cx="12" cy="12" r="9"/><path d="M15.500 8.500h-5a1.750 1.750 0 1 0 0 3.500h3a1.750 1.750 0 1 1 0 3.500h-5M12 17.500v-11"/>',
)
export const WALLET_ICON = icon(
  '<path d="M18 8V5a1 1 0 0 0-1-1H6a2 2 0 0 0 0 4h13a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H6a2 2 0 0 1-2-2V6"/><path d="M20 12h-4a2 2 0 0 0 0 4h4"/>',
)
export const PIN_ICON = icon(
  '<path d="M20 10c0 5-5.5 10.2-7.4 11.8a1 1 0 0 1-1.2 0C9.5 20.2 4 15 4 10a8 8 0 0 1 16 0"/><circle cx="12" cy="10" r="3"/>',
)

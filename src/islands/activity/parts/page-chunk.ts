/** Exports of the chunk that loads and renders while the data is still loading. */
export { ActivityPanel } from './ActivityPanel.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'

/** Chunk that renders while the data loads. */
export { ActivityPanel } from './ActivityPanel.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'

/** Page code in its own chunk. It loads and renders while the page's data is still loading. */
export { ActivityPanel } from './ActivityPanel.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'

/** What is drawn once the data is on its way, in a file of its own. */
export { ActivityPanel } from './ActivityPanel.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'

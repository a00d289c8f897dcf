/** Panels below the fold, in their own chunk. */
export { ActivityPanel } from './ActivityPanel.tsx'
export { AnalyticsPanel } from './AnalyticsPanel.tsx'
export { NotificationsPanel } from './NotificationsPanel.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'
export { DataExportPanel } from './DataExportPanel.tsx'
export { RegionalFormatsPanel } from './RegionalFormatsPanel.tsx'

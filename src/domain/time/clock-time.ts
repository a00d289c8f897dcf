import { createTimeFormat } from './regional-formats.ts'

/** Formats a time (ms UTC) in the browser's zone: `9:41 AM` or `09:41`. */
export const formatClock = createTimeFormat({ hour: 'numeric', minute: '2-digit' })

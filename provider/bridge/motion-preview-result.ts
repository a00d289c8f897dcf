import type { MotionPreview } from '../../contract/cameras/camera-settings.ts'

export type MotionPreviewResult = ({ state: 'tried' } & MotionPreview) | { state: 'bridge_off' | 'no_answer' }

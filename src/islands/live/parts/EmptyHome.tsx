import { LazyAddCamera } from '../add-camera/lazy-add-camera.ts'

export const EmptyHome = () => <LazyAddCamera isFirst />

import { AddCamera } from '../add-camera/lazy-add-camera.ts'

export const EmptyHome = () => <AddCamera isFirst />

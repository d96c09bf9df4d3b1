/**
 * Valid calls of `navkiln/babylon`, `navkiln/playcanvas` and `navkiln/phaser`, with stand-ins for the objects of the engines: only the
 * members that the adapters read and call.
 */

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const SQUARE = [0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0];
const nothing = () => {};
const vector = () => ({ set: nothing });

const babylonMesh = () => ({
  name: 'floor',
  isVisible: true,
  isEnabled: () => true,
  getClassName: () => 'Mesh',
  getVerticesData: () => SQUARE,
  getIndices: () => [0, 2, 1, 0, 3, 2],
  computeWorldMatrix: () => ({ m: IDENTITY }),
  getScene: () => ({ useRightHandedSystem: false }),
});
class BabylonDrawn {
  position = vector();
}
const BABYLON = {
  Mesh: BabylonDrawn,
  LinesMesh: BabylonDrawn,
  VertexData: class {
    applyToMesh() {}
  },
  StandardMaterial: class {
    emissiveColor = vector();
  },
};
const babylonNode = (f) => f.own({ position: vector(), setEnabled: nothing, setDirection: nothing });
const agentNode = (f) => f.own(f.m.babylon.createAgentNode(f.agentSource(), babylonNode(f)));

export const babylonCalls = {
  createAgentNode: (f) => [f.agentSource(), babylonNode(f), { snapDistance: 2 }],
  drawGeometry: (f) => [f.own(BABYLON), f.own({}), f.geometry(), { opacity: 0.5, onTop: true }],
  levelFromMeshes: (f) => [[f.own(babylonMesh())], { filter: () => true, areaOf: () => 63, includeInvisible: true }],
  placeAgentNode: (f) => [agentNode(f), 0.5],
  stepAgentNode: (f) => [agentNode(f)],
  updateDrawn: (f) => [f.own(BABYLON), f.own(new BabylonDrawn()), f.geometry()],
};

const playCanvasRoot = () => ({
  name: 'root',
  enabled: true,
  findComponents: () => [
    {
      enabled: true,
      entity: { enabled: true },
      meshInstances: [
        {
          visible: true,
          mesh: {
            primitive: [{ type: 4, base: 0, count: 6, indexed: true }],
            getPositions: (out) => out.push(...SQUARE) / 3,
            getIndices: (out) => out.push(0, 1, 2, 0, 2, 3),
          },
          material: { cull: 1 },
          node: { name: 'floor', enabled: true, getWorldTransform: () => ({ data: IDENTITY }) },
        },
      ],
    },
  ],
});
class PlayCanvasMesh {
  setPositions() {}
  setColors32() {}
  setIndices() {}
  update() {}
  clear() {}
}
class PlayCanvasEntity {
  enabled = true;
  render = { meshInstances: [{ mesh: new PlayCanvasMesh() }] };
  setPosition() {}
  setRotation() {}
  addComponent() {}
}
const PC = {
  Entity: PlayCanvasEntity,
  Mesh: PlayCanvasMesh,
  MeshInstance: class {},
  StandardMaterial: class {
    emissive = vector();
    diffuse = vector();
    update() {}
  },
};
const playCanvasEntity = (f) => f.own(new PlayCanvasEntity());
const agentEntity = (f) => f.own(f.m.playcanvas.createAgentEntity(f.agentSource(), playCanvasEntity(f)));

export const playcanvasCalls = {
  createAgentEntity: (f) => [f.agentSource(), playCanvasEntity(f), { snapDistance: 2 }],
  drawGeometry: (f) => [f.own(PC), f.own({}), f.geometry(), { opacity: 0.5, onTop: true }],
  levelFromEntity: (f) => [f.own(playCanvasRoot()), { filter: () => true, areaOf: () => 63, includeInvisible: true }],
  placeAgentEntity: (f) => [agentEntity(f), 0.5],
  stepAgentEntity: (f) => [agentEntity(f)],
  updateDrawn: (f) => [playCanvasEntity(f), f.geometry()],
};

const phaserLayer = () => ({
  x: 0,
  y: 0,
  scaleX: 1,
  scaleY: 1,
  layer: {
    width: 2,
    height: 1,
    tileWidth: 16,
    tileHeight: 16,
    orientation: 0,
    data: [
      [
        { x: 0, y: 0, index: 1, collides: false },
        { x: 1, y: 0, index: 1, collides: true },
      ],
    ],
  },
});
const graphics = (f) => f.own({ fillStyle: nothing, lineStyle: nothing, fillTriangle: nothing, lineBetween: nothing });
const sprite = (f) => f.own({ rotation: 0, setPosition: nothing, setVisible: nothing });
const agentSprite = (f) => f.own(f.m.phaser.createAgentSprite(f.mapMesh(), f.agentSource(), sprite(f)));

export const phaserCalls = {
  createAgentSprite: (f) => [f.mapMesh(), f.agentSource(), sprite(f), { turns: true, snapDistance: 64 }],
  drawGeometry: (f) => [graphics(f), f.mapMesh(), f.geometry(), { opacity: 0.5, lineWidth: 2 }],
  mapFromLayers: (f) => [[f.own(phaserLayer())], { isBlocked: ({ collides }) => collides, diagonal: 0.25 }],
  placeAgentSprite: (f) => [agentSprite(f), 0.5],
  stepAgentSprite: (f) => [agentSprite(f)],
};

/**
 * Phaser with Tiled: the layers of a Tiled map become a mesh, and villagers walk to where you click.
 */
import Phaser from 'phaser';
import { createRandom, findRandomPoint } from 'navkiln';
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, listEvents, moveAgentTo } from 'navkiln/crowd';
import { navMeshOutlines } from 'navkiln/debug';
import { createAgentSprite, drawGeometry, mapFromLayers, placeAgentSprite } from 'navkiln/phaser';
import { buildFromPolygons, findNearest2d, mapToMesh } from 'navkiln/polygon';
import town from './town.tmj?url';

const status = document.querySelector('#status');

class Town extends Phaser.Scene {
  preload() {
    this.load.tilemapTiledJSON('town', town);
  }

  create() {
    drawTileset(this);
    const map = this.make.tilemap({ key: 'town' });
    const tiles = map.addTilesetImage('town', 'tiles');
    // Two layers: water of the first and houses of the second collide.
    const layers = ['ground', 'walls'].map((name) => map.createLayer(name, tiles));
    for (const layer of layers) layer.setCollisionByProperty({ collides: true });
    const { navMesh } = buildFromPolygons(mapFromLayers(layers), { radius: 9 });

    const mesh = this.add.graphics();
    drawGeometry(mesh, navMesh, navMeshOutlines(navMesh), { opacity: 0.8 });
    this.goal = this.add.circle(0, 0, 9).setStrokeStyle(3, 0xd55e00).setVisible(false);

    // Sizes and speeds are in pixels.
    this.crowd = createCrowd(navMesh, { maxAgents: 24 });
    const random = createRandom(3);
    this.somewhere = () => findRandomPoint(navMesh, random).point;
    this.villagers = Array.from({ length: 24 }, (_, i) => {
      const id = addAgent(this.crowd, this.somewhere(), { radius: 9, maxSpeed: 70, maxAcceleration: 400 });
      moveAgentTo(this.crowd, id, this.somewhere());
      const sprite = this.add.container(0, 0, [
        this.add.circle(0, 0, 9, [0xd55e00, 0x0072b2, 0xcc79a7][i % 3]).setStrokeStyle(2, 0xffffff),
        this.add.circle(5, 0, 3, 0xffffff),
      ]);
      const source = (out, alpha) => interpolateAgentInto(out, this.crowd, id, alpha);
      return { id, bound: createAgentSprite(navMesh, source, sprite) };
    });

    this.input.on('pointerdown', ({ worldX, worldY }) => {
      const { point, found } = findNearest2d(navMesh, [worldX, worldY], { halfExtents: 200 });
      if (!found) return;
      this.goal.setPosition(...point).setVisible(true);
      for (const { id } of this.villagers) moveAgentTo(this.crowd, id, mapToMesh(navMesh, point));
    });
    status.textContent = `${navMesh.polyCount} polygons. Click to call the villagers.`;
  }

  update(_time, delta) {
    const alpha = advanceCrowd(this.crowd, delta / 1000);
    for (const { kind, agent } of listEvents(this.crowd))
      if (kind === 'arrived' || kind === 'settled') moveAgentTo(this.crowd, agent, this.somewhere());
    for (const { bound } of this.villagers) placeAgentSprite(bound, alpha);
  }
}

/** Draws the five tiles, so that the example needs no picture: grass, water, house, tree, bridge. */
function drawTileset(scene) {
  const texture = scene.textures.createCanvas('tiles', 160, 32);
  const context = texture.getContext();
  const colors = ['#cfe0b0', '#8fb9d9', '#a9806a', '#cfe0b0', '#c9a878'];
  for (const [i, color] of colors.entries()) {
    context.fillStyle = color;
    context.fillRect(32 * i, 0, 32, 32);
  }
  context.fillStyle = '#4f8a55';
  context.beginPath();
  context.arc(112, 16, 13, 0, 7);
  context.fill();
  context.fillStyle = '#9d7458';
  for (let y = 4; y < 32; y += 8) context.fillRect(64, y, 32, 2);
  texture.refresh();
}

export const game = new Phaser.Game({
  type: Phaser.AUTO,
  parent: 'game',
  width: 960,
  height: 576,
  backgroundColor: '#f4f1ea',
  scale: { mode: Phaser.Scale.FIT, autoCenter: Phaser.Scale.CENTER_BOTH },
  scene: Town,
});

import path from 'node:path';
import { resolveHome } from '../../controller/home';

describe('the home', () => {
  it('keeps everything in one directory when that is named', () => {
    expect(resolveHome({ BERTH_HOME: '/srv/berth', HOME: '/home/ann', XDG_CONFIG_HOME: '/etc/xdg' })).toEqual({
      root: '/srv/berth',
      manifests: '/srv/berth/manifests',
      data: '/srv/berth/data',
      state: '/srv/berth/state',
      run: '/srv/berth/run',
      socket: '/srv/berth/run/controller.sock',
    });
  });

  it('makes a relative directory absolute, so that a controller started elsewhere means the same', () => {
    expect(resolveHome({ BERTH_HOME: 'here' }).root).toBe(path.resolve('here'));
  });

  it('follows the base directories', () => {
    const env = {
      HOME: '/home/ann',
      XDG_CONFIG_HOME: '/c',
      XDG_DATA_HOME: '/d',
      XDG_STATE_HOME: '/s',
      XDG_RUNTIME_DIR: '/run/user/7',
    };
    expect(resolveHome(env)).toEqual({
      manifests: '/c/berth/manifests',
      data: '/d/berth',
      state: '/s/berth',
      run: '/run/user/7/berth',
      socket: '/run/user/7/berth/controller.sock',
    });
  });

  it('falls back to the usual places below the home directory', () => {
    expect(resolveHome({ HOME: '/home/ann' })).toEqual({
      manifests: '/home/ann/.config/berth/manifests',
      data: '/home/ann/.local/share/berth',
      state: '/home/ann/.local/state/berth',
      run: '/home/ann/.local/state/berth/run',
      socket: '/home/ann/.local/state/berth/run/controller.sock',
    });
  });

  it('ignores base directories that are empty or relative', () => {
    const env = {
      HOME: '/home/ann',
      BERTH_HOME: '',
      XDG_CONFIG_HOME: 'conf',
      XDG_DATA_HOME: '',
      XDG_RUNTIME_DIR: 'run',
    };
    expect(resolveHome(env)).toEqual(resolveHome({ HOME: '/home/ann' }));
  });
});
